// What was checked, with the verdict of each; what failed is open.
import type { AssertionResult } from '../../../../model/assertion.js'
import { cellText } from '../../../../model/result-row.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { headline, sidesOf } from '../../text/failure.js'
import { StatusIcon } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Comparison } from './comparison.js'
import { Section } from './section.js'

interface AssertionsProps {
  items: AssertionResult[]
  /** Explained at the top of the case, and not again here. */
  told: AssertionResult | undefined
  output?: unknown
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

export function Assertions({ items, told, output }: AssertionsProps) {
  return (
    <ul class="assertions">
      {items.map((item, index) => (
        <li key={index}>
          <Assertion item={item} told={told} output={output} />
        </li>
      ))}
    </ul>
  )
}

function Assertion({
  item,
  told,
  output,
}: {
  item: AssertionResult
  told: AssertionResult | undefined
  output: unknown
}) {
  const mark = item.error ? 'error' : item.passed ? 'passed' : item.not_evaluated ? 'skipped' : 'failed'
  const isTold = item === told
  const parts = item.parts && item.parts.length > 0 && <Assertions items={item.parts} told={told} />
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
        {!isTold && <Explanation item={item} output={output} />}
        {parts}
      </div>
    </details>
  )
}

function Explanation({ item, output }: { item: AssertionResult; output: unknown }) {
  const sentence = headline(item, !item.passed && sidesOf(item) !== undefined)
  return (
    <>
      {item.error && <LongText value={item.error} mono />}
      {sentence && (
        <p class={item.passed || item.not_evaluated ? 'muted' : 'wrong'} dir="auto">
          <Text value={sentence} />
        </p>
      )}
      <Comparison item={item} output={output} />
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
