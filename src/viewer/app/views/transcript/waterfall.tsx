// Where the time of a case went: a bar for each step that took some, below the step it is part of.
import type { ResultEvent } from '../../../../model/event.js'
import type { Step } from '../../../../pipeline/report/case-steps.js'
import { stepKind, stepTitle } from '../../../../pipeline/report/step-words.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCount } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { openStep } from '../../data/navigate.js'
import { StatusIcon } from '../icons.js'

interface Props {
  steps: Step[]
  event: ResultEvent
  linked: boolean
  at: number | undefined
}

const MOST_ROWS = 200

export function Waterfall({ steps, event, linked, at }: Props) {
  const rows = rowsOf(steps, event)
  if (rows.length === 0) return null
  const total = Math.max(1, event.duration_ms, ...rows.map(({ start, duration }) => start + duration))
  return (
    <div class="waterfall" role="group" aria-label="Where the time went">
      <div class="waterfall-axis" aria-hidden="true">
        <span>0</span>
        <span>{formatDuration(total / 2)}</span>
        <span>{formatDuration(total)}</span>
      </div>
      <ol>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <li key={row.step?.n ?? 0}>
            <Row row={row} total={total} linked={linked} isAt={row.step !== undefined && at === row.step.n} />
          </li>
        ))}
      </ol>
      {rows.length > MOST_ROWS && <p class="muted">{formatCount(rows.length - MOST_ROWS)} more steps</p>}
    </div>
  )
}

interface WaterfallRow {
  /** Absent: several steps together. */
  step?: Step
  depth: number
  start: number
  duration: number
}

/** What the agent did without turns is one row as well, beside the attempts before and the checks after it. */
function rowsOf(steps: Step[], { turns }: ResultEvent): WaterfallRow[] {
  if (turns && turns.length > 0) return timed(steps, 0)
  const isApart = ({ kind }: Step) => kind === 'attempt' || kind === 'check'
  const own = timed(
    steps.filter((step) => !isApart(step)),
    1,
  )
  const before = steps.filter(({ kind }) => kind === 'attempt')
  const after = steps.filter(({ kind }) => kind === 'check')
  return [...timed(before, 0), ...(own.length > 0 ? [together(own), ...own] : []), ...timed(after, 0)]
}

function timed(steps: Step[], depth: number): WaterfallRow[] {
  return steps.flatMap((step) => {
    const { start, duration, children } = step
    if (start === undefined || duration === undefined) return timed(children, depth)
    return [{ step, depth, start, duration }, ...timed(children, depth + 1)]
  })
}

function together(rows: WaterfallRow[]): WaterfallRow {
  const start = Math.min(...rows.map((row) => row.start))
  const end = Math.max(...rows.map((row) => row.start + row.duration))
  return { depth: 0, start, duration: end - start }
}

function Row({ row, total, linked, isAt }: { row: WaterfallRow; total: number; linked: boolean; isAt: boolean }) {
  const { step, depth, start, duration } = row
  const kind = step ? stepKind(step) : 'Turn'
  const hasFailed = step !== undefined && (step.error !== undefined || (step.kind === 'check' && !step.check.passed))
  const share = (value: number) => `${Math.min(100, (value / total) * 100)}%`
  const content = (
    <>
      <span class="waterfall-name" style={{ paddingInlineStart: `${Math.min(depth, 8) * 12}px` }}>
        {hasFailed && <StatusIcon mark="failed" label="Failed" />}
        {kind !== 'Turn' && kind !== 'Attempt' && <span class="waterfall-kind">{kind}</span>}
        <bdi>{step ? visible(stepTitle(step)) : 'Agent'}</bdi>
      </span>
      <span class="waterfall-track" aria-hidden="true">
        <span class="waterfall-bar" style={{ left: share(start), width: share(duration) }} />
      </span>
      <span class="waterfall-time">
        {formatDuration(duration)}
        <span class="sr-only"> from {formatDuration(start)}</span>
      </span>
    </>
  )
  const look = `waterfall-row kind-${kind.toLowerCase()}${hasFailed ? ' has-failed' : ''}`
  if (!linked || !step) return <div class={look}>{content}</div>
  return (
    <button type="button" class={look} aria-current={isAt ? 'step' : undefined} onClick={() => openStep(step.n)}>
      {content}
    </button>
  )
}
