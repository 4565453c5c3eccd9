// Where the time of a case went: a bar for each step that took some, below the step it is part of. Zooming in shows the time
// of one step, and what happened then.
import { useState } from 'preact/hooks'
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

/** What is on the axis. */
interface Span {
  start: number
  duration: number
}

export function Waterfall({ steps, event, linked, at }: Props) {
  const [zoom, setZoom] = useState<{ event: ResultEvent; n: number | undefined }>()
  const zoomed = zoom?.event === event ? zoom.n : undefined
  const all = rowsOf(steps, event)
  if (all.length === 0) return null
  const total = Math.max(1, event.duration_ms, ...all.map(({ start, duration }) => start + duration))
  const stepAt = (n: number | undefined) => (n === undefined ? undefined : all.find(({ step }) => step?.n === n))
  const span: Span = stepAt(zoomed) ?? { start: 0, duration: total }
  const rows = zoomed === undefined ? all : all.filter((row) => overlaps(row, span))
  const here = stepAt(at)
  const canZoom = here !== undefined && here.duration > 0 && here.duration < span.duration / 2 && overlaps(here, span)
  return (
    <div class="waterfall" role="group" aria-label="Where the time went">
      {(canZoom || zoomed !== undefined) && (
        <p class="waterfall-zoom no-print">
          {canZoom && (
            <button type="button" class="link" onClick={() => setZoom({ event, n: at })}>
              Zoom to step {at}
            </button>
          )}
          {zoomed !== undefined && (
            <button type="button" class="link" onClick={() => setZoom(undefined)}>
              Whole case
            </button>
          )}
        </p>
      )}
      <div class="waterfall-axis" aria-hidden="true">
        <span>{span.start === 0 ? '0' : formatDuration(span.start)}</span>
        <span>{formatDuration(span.start + span.duration / 2)}</span>
        <span>{formatDuration(span.start + span.duration)}</span>
      </div>
      <ol>
        {rows.slice(0, MOST_ROWS).map((row) => (
          <li key={row.step?.n ?? 0}>
            <Row row={row} span={span} linked={linked} isAt={row.step !== undefined && at === row.step.n} />
          </li>
        ))}
      </ol>
      {rows.length > MOST_ROWS && <p class="muted">{formatCount(rows.length - MOST_ROWS)} more steps</p>}
    </div>
  )
}

interface WaterfallRow extends Span {
  /** Absent: several steps together. */
  step?: Step
  depth: number
}

function overlaps(row: Span, span: Span): boolean {
  return row.start < span.start + span.duration && row.start + row.duration > span.start
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

function Row({ row, span, linked, isAt }: { row: WaterfallRow; span: Span; linked: boolean; isAt: boolean }) {
  const { step, depth, start, duration } = row
  const kind = step ? stepKind(step) : 'Turn'
  const hasFailed = step !== undefined && (step.error !== undefined || (step.kind === 'check' && !step.check.passed))
  const share = (value: number) => Math.max(0, Math.min(100, ((value - span.start) / span.duration) * 100))
  const [from, to] = [share(start), share(start + duration)]
  const content = (
    <>
      <span class="waterfall-name" style={{ paddingInlineStart: `${Math.min(depth, 8) * 12}px` }}>
        {hasFailed && <StatusIcon mark="failed" label="Failed" />}
        {kind !== 'Turn' && kind !== 'Attempt' && <span class="waterfall-kind">{kind}</span>}
        <bdi>{step ? visible(stepTitle(step)) : 'Agent'}</bdi>
      </span>
      <span class="waterfall-track" aria-hidden="true">
        <span class="waterfall-bar" style={{ left: `${from}%`, width: `${to - from}%` }} />
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
