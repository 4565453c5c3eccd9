// A step that is neither a message, a model nor a tool: a hook, another agent, a request, what the agent reports itself.
import type { StepOf } from '../../../../pipeline/report/case-steps.js'
import { stepKind, stepTitle } from '../../../../pipeline/report/step-words.js'
import { formatDuration } from '../../../../base/duration.js'
import { visible } from '../../../../base/hidden.js'
import { cellText } from '../../../../model/result-row.js'
import { Glyph, StatusPill } from '../icons.js'
import { LongText } from '../text.js'
import { Value } from '../value.js'

export function Plain({ step }: { step: StepOf<'hook' | 'delegate' | 'request' | 'span'> }) {
  const detail = detailOf(step)
  const { n, error, duration } = step
  const head = (
    <>
      <Glyph name={step.kind === 'hook' ? 'hook' : step.kind === 'delegate' ? 'delegate' : 'span'} />
      <span class="fold-kind">{stepKind(step)}</span>
      <span class="tool-name">{visible(stepTitle(step))}</span>
      <span class="tool-args">
        <bdi>{detail === undefined ? '' : visible(cellText(detail, 90))}</bdi>
      </span>
      {error && <StatusPill mark="failed" text="error" />}
      {duration !== undefined && <span class="fold-fact">{formatDuration(duration)}</span>}
    </>
  )
  if (detail === undefined && !error)
    return (
      <div class="fold fold-line" data-step={n} tabIndex={-1}>
        {head}
      </div>
    )
  return (
    <details class="fold" open={error !== undefined} data-step={n} tabIndex={-1}>
      <summary>{head}</summary>
      <div class="fold-body">
        {error && <LongText value={error} mono />}
        {detail !== undefined && <Value value={detail} mono />}
      </div>
    </details>
  )
}

function detailOf(step: StepOf<'hook' | 'delegate' | 'request' | 'span'>): unknown {
  if (step.kind === 'span') return step.span.attributes
  const { returned, detail } = step.step
  if (returned === undefined || detail === undefined) return returned ?? detail
  return { returned, ...(typeof detail === 'object' ? detail : { detail }) }
}
