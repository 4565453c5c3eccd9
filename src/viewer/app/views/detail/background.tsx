// What surrounds a result: earlier attempts, warnings, logs.
import type { ResultEvent } from '../../../../model/event.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCount, plural } from '../../../../base/format.js'
import { StatusIcon } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Section } from './section.js'

export function Warnings({ items }: { items: string[] | undefined }) {
  return (
    <>
      {(items ?? []).map((text) => (
        <p class="notice" key={text}>
          <Text value={text} />
        </p>
      ))}
    </>
  )
}

export function Attempts({ event }: { event: ResultEvent }) {
  const earlier = event.failure_history ?? []
  const leaked = event.leaked ?? []
  const reruns = event.reruns ?? []
  if (earlier.length + leaked.length + reruns.length === 0 && !event.api_retries) return null
  return (
    <Section title="Attempts" note={event.attempts ? plural(event.attempts, 'attempt') : ''}>
      <ul class="attempts">
        {earlier.map((attempt) => (
          <li key={attempt.attempt}>
            <StatusIcon mark={attempt.status} />
            <span>Attempt {attempt.attempt}</span>
            <span class="attempt-error">
              <Text value={attempt.error ?? ''} />
            </span>
            <span class="muted">{formatDuration(attempt.duration_ms)}</span>
          </li>
        ))}
      </ul>
      {event.api_retries ? (
        <p class="muted">{plural(event.api_retries, 'request')} repeated after transient errors</p>
      ) : null}
      {reruns.map(({ reason }, index) => (
        <p class="muted" key={index}>
          Run again alone: <Text value={reason} />
        </p>
      ))}
      {leaked.map((text) => (
        <p class="notice" key={text}>
          A process outlived the agent and was ended: <Text value={text} />
        </p>
      ))}
    </Section>
  )
}

interface LinesProps {
  title: string
  lines: string[]
  dropped?: number | undefined
  open?: boolean
}

export function Lines({ title, lines, dropped, open = false }: LinesProps) {
  return (
    <Section title={title} note={plural(lines.length, 'line')} closed={!open && lines.length > 12}>
      <LongText value={lines.join('\n')} mono />
      {dropped ? <p class="muted">{formatCount(dropped)} more lines were dropped.</p> : null}
    </Section>
  )
}
