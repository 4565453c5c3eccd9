// The labelling screen: the answer and the criterion, three keys, and what the judge said once a person has decided.
import { render, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DecideRequest, Decided, LabelProgress, ShownAnswer } from '../../../model/label-screen.js'
import './label.css'

const token = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''

async function ask<T>(body?: DecideRequest): Promise<T> {
  const response = await fetch('/api/label', {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}

const VERDICTS: Array<{ verdict: DecideRequest['verdict']; key: string; text: string }> = [
  { verdict: 'pass', key: 'p', text: 'Pass' },
  { verdict: 'fail', key: 'f', text: 'Fail' },
  { verdict: 'cannot_tell', key: 'c', text: 'Cannot tell' },
]

function LabelScreen(): JSX.Element {
  const [progress, setProgress] = useState<LabelProgress>()
  const [decided, setDecided] = useState<{ verdict: DecideRequest['verdict']; judge: Decided['judge'] }>()
  const [problem, setProblem] = useState('')
  const note = useRef<HTMLTextAreaElement>(null)
  const isBusy = useRef(false)
  // Keys that come faster than effects run must not be lost.
  const latest = useRef<{ shown?: ShownAnswer | undefined; isDecided: boolean }>({ isDecided: false })
  latest.current = { shown: progress?.shown, isDecided: decided !== undefined }

  const load = async (): Promise<void> => {
    setProgress(await ask<LabelProgress>())
    setDecided(undefined)
    if (note.current) note.current.value = ''
  }
  const decide = async (shown: ShownAnswer, verdict: DecideRequest['verdict']): Promise<void> => {
    const text = note.current?.value.trim() ?? ''
    const { judge } = await ask<Decided>({ key: shown.key, verdict, ...(text !== '' && { note: text }) })
    setDecided({ verdict, judge })
  }
  const attempt = (work: () => Promise<void>): void => {
    if (isBusy.current) return
    isBusy.current = true
    work()
      .then(
        () => setProblem(''),
        (error: unknown) => setProblem(`Not saved: ${error instanceof Error ? error.message : 'the server is gone'}`),
      )
      .finally(() => {
        isBusy.current = false
      })
  }
  useEffect(() => attempt(load), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof HTMLTextAreaElement) {
        if (event.key === 'Escape') event.target.blur()
        return
      }
      const { shown, isDecided } = latest.current
      const chosen = VERDICTS.find(({ key }) => key === event.key.toLowerCase())
      if (isDecided && event.key === 'Enter') attempt(load)
      else if (!isDecided && shown && chosen) attempt(() => decide(shown, chosen.verdict))
      else if (!isDecided && event.key === 'n') note.current?.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  if (!progress)
    return (
      <p class="loading" role="status">
        {problem || 'Loading…'}
      </p>
    )
  const { shown, done, total, by } = progress
  return (
    <main class="label">
      <header>
        <h1>Label answers</h1>
        <p>
          {Math.min(done + (decided ? 1 : 0), total)} of {total} labelled by {by}
        </p>
        <progress max={total} value={done + (decided ? 1 : 0)} aria-label="Labelled answers" />
      </header>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {shown ? (
        <>
          <Part title="Criterion" value={shown.criterion}>
            {shown.rubric && <Levels rubric={shown.rubric} threshold={shown.threshold} />}
          </Part>
          <Part title="Asked" value={shown.input} />
          <Part title="Answer" value={shown.output} />
          <section class="decide" aria-label="Your verdict">
            {VERDICTS.map(({ verdict, key, text }) => (
              <button
                key={verdict}
                type="button"
                disabled={decided !== undefined}
                aria-pressed={decided?.verdict === verdict}
                onClick={() => attempt(() => decide(shown, verdict))}
              >
                {text} <kbd>{key}</kbd>
              </button>
            ))}
            <label>
              Note <kbd>n</kbd>
              <textarea ref={note} rows={2} disabled={decided !== undefined} />
            </label>
          </section>
          {decided && (
            <section class="judge" role="status">
              <p>
                The judge said <strong>{decided.judge.passed ? 'pass' : 'fail'}</strong>.
              </p>
              {decided.judge.reason && <p class="text">{decided.judge.reason}</p>}
              <button type="button" onClick={() => attempt(load)}>
                Next <kbd>Enter</kbd>
              </button>
            </section>
          )}
        </>
      ) : (
        <p role="status">Done: every answer of the sample is labelled. You can close this page.</p>
      )}
    </main>
  )
}

function Part({
  title,
  value,
  children,
}: {
  title: string
  value: unknown
  children?: JSX.Element | undefined
}): JSX.Element {
  return (
    <section class="part">
      <h2>{title}</h2>
      <pre class="text" tabIndex={0}>
        {typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}
      </pre>
      {children}
    </section>
  )
}

function Levels({
  rubric,
  threshold,
}: {
  rubric: Record<string, unknown>
  threshold: number | undefined
}): JSX.Element {
  return (
    <>
      <ul>
        {Object.entries(rubric).map(([level, text]) => (
          <li key={level}>
            {level}: {String(text)}
          </li>
        ))}
      </ul>
      {threshold !== undefined && <p>Passes from level {threshold} on.</p>}
    </>
  )
}

const root = document.getElementById('app')
if (root) {
  root.replaceChildren()
  render(<LabelScreen />, root)
}
