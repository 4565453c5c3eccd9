// What was checked, with the verdict of each; failed ones are open.
import type { AssertionResult } from '../../../../model/assertion.js'
import { cellText } from '../../../../model/result-row.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { headline, sidesOf, type AnswerSeen } from '../../text/failure.js'
import { StatusIcon } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Comparison } from './comparison.js'
import { Section } from './section.js'

interface AssertionsProps {
  items: AssertionResult[]
  /** Explained at the top of the case, and not again here. */
  told: AssertionResult | undefined
  evidence: AnswerSeen
}

export function AssertionList({ title, ...props }: AssertionsProps & { title: string }) {
  const { items } = props
  const left = items.some((item) => item.not_evaluated)
  const failed = items.filter((item) => !item.passed).length
  const checked = failed === 0 ? `${plural(items.length, 'check')} passed` : `${failed} of ${items.length} failed`
  const note = left ? 'not evaluated' : checked
  return (
    <Section title={title} note={note}>
      <Assertions {...props} />
    </Section>
  )
}

export function Assertions({ items, told, evidence }: AssertionsProps) {
  return (
    <ul class="assertions">
      {items.map((item, index) => (
        <li key={index}>
          <Assertion item={item} told={told} evidence={evidence} />
        </li>
      ))}
    </ul>
  )
}

function Assertion({
  item,
  told,
  evidence,
}: {
  item: AssertionResult
  told: AssertionResult | undefined
  evidence: AnswerSeen
}) {
  const mark = item.error ? 'error' : item.passed ? 'passed' : item.not_evaluated ? 'skipped' : 'failed'
  const isTold = item === told
  const parts = item.parts && item.parts.length > 0 && <Assertions items={item.parts} told={told} evidence={evidence} />
  const head = (
    <>
      <StatusIcon mark={mark} label={item.error ? 'Could not be checked' : undefined} />
      <span class="assertion-type">{visible(item.type)}</span>
      <span class="assertion-what">
        <bdi>{visible(describe(item))}</bdi>
      </span>
      {isTold && <span class="muted">shown above</span>}
      {item.score !== undefined && <Score value={item.score} />}
      {item.duration_ms !== undefined && item.duration_ms >= 1 && (
        <span class="muted">{formatDuration(item.duration_ms)}</span>
      )}
    </>
  )
  if (isTold && !parts) return <div class={`assertion status-${mark} assertion-head`}>{head}</div>
  return (
    <details class={`assertion status-${mark}`} open={!item.passed && !item.not_evaluated}>
      <summary class="assertion-head">{head}</summary>
      <div class="assertion-body">
        {!holds(item, told) && <Explanation item={item} evidence={evidence} />}
        {parts}
      </div>
    </details>
  )
}

/** Whether it, or a part of it, is explained at the top. */
function holds(item: AssertionResult, told: AssertionResult | undefined): boolean {
  return item === told || (item.parts ?? []).some((part) => holds(part, told))
}

function Explanation({ item, evidence }: { item: AssertionResult; evidence: AnswerSeen }) {
  const sentence = headline(item, item.passed ? undefined : sidesOf(item, evidence))
  return (
    <>
      {item.error && <LongText value={item.error} mono />}
      {sentence && (
        <p class={item.passed || item.not_evaluated ? 'muted' : 'wrong'} dir="auto">
          <Text value={sentence} />
        </p>
      )}
      <Comparison item={item} evidence={evidence} />
    </>
  )
}

function Score({ value }: { value: number }) {
  return (
    <span class="score">
      <meter min={0} max={1} value={value} aria-label="Score" /> {Number(value.toFixed(2))}
    </span>
  )
}

/** A failed one shows its value among the two sides. */
function describe(item: AssertionResult): string {
  if (item.label) return item.label
  const value = item.passed || sidesOf(item) === undefined ? (item.value ?? item.expected) : undefined
  return [item.path, item.name, value]
    .filter((part) => part !== undefined)
    .map((part) => cellText(part, 90))
    .join(' ')
}
