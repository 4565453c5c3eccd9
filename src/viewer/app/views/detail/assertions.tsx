// What was checked, with the verdict of each; failed ones are open.
import type { AssertionResult } from '../../../../model/assertion.js'
import { checkedFields } from '../../../../model/assertion-label.js'
import { cellText } from '../../../../model/result-row.js'
import { isJudge } from '../../../../pipeline/report/step-words.js'
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

function Assertions({ items, told, evidence }: AssertionsProps) {
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

interface AssertionProps {
  item: AssertionResult
  told: AssertionResult | undefined
  evidence: AnswerSeen
  /** It stands open elsewhere. */
  closed?: boolean
}

export function Assertion({ item, told, evidence, closed = false }: AssertionProps) {
  const mark = item.error ? 'error' : item.passed ? 'passed' : item.not_evaluated ? 'skipped' : 'failed'
  const isTold = item === told
  const parts = item.parts && item.parts.length > 0 && <Assertions items={item.parts} told={told} evidence={evidence} />
  const head = (
    <>
      <StatusIcon mark={mark} label={item.error ? 'Could not be checked' : undefined} />
      <span class="assertion-type">{visible(typeWords(item))}</span>
      <span class="assertion-what">
        <bdi>{visible(describe(item))}</bdi>
      </span>
      {isTold && <span class="muted">shown above</span>}
      {item.score !== undefined && <Score item={item} value={item.score} />}
      {item.duration_ms !== undefined && item.duration_ms >= 1 && (
        <span class="muted">{formatDuration(item.duration_ms)}</span>
      )}
    </>
  )
  if (isTold && !parts) return <div class={`assertion status-${mark} assertion-head`}>{head}</div>
  return (
    <details class={`assertion status-${mark}`} open={!closed && !item.passed && !item.not_evaluated}>
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
          {isJudge(item.type) && <span class="strong">The judge: </span>}
          <Text value={sentence} />
        </p>
      )}
      <Comparison item={item} evidence={evidence} />
    </>
  )
}

/** What passed is green; a low score is not. The number says the same. */
function Score({ item, value }: { item: AssertionResult; value: number }) {
  const needed = item.params?.['threshold']
  const most = item.type === 'rubric' ? 5 : Math.max(1, value, typeof needed === 'number' ? needed : 1)
  return (
    <span class={`score status-${item.passed ? 'passed' : 'failed'}`}>
      <span
        class="score-bar"
        role="meter"
        aria-label="Score"
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={value}
      >
        <span style={{ width: `${Math.max(0, value / most) * 100}%` }} />
      </span>
      {Number(value.toFixed(2))}
      {typeof needed === 'number' && <span class="muted">needs {needed}</span>}
    </span>
  )
}

function typeWords({ type, negate }: AssertionResult): string {
  return `${negate ? 'not ' : ''}${isJudge(type) ? 'Judge' : type}`
}

/** A failed one shows its value among the two sides. */
function describe(item: AssertionResult): string {
  if (item.label) return item.label
  // Who judged, and how, is below.
  if (isJudge(item.type)) return cellText(item.criterion ?? item.value ?? '', 90)
  const hasSides = !item.passed && sidesOf(item) !== undefined
  return checkedFields(item)
    .filter(([name]) => !(hasSides && name === 'value'))
    .map(([name, value]) => (NAMED.has(name) ? `${name} ${cellText(value, 60)}` : cellText(value, 90)))
    .join(' · ')
}

/** Their values alone would say nothing. */
const NAMED = new Set(['min', 'max', 'threshold', 'from', 'to', 'times', 'weight', 'max_ms', 'max_dollars', 'expected'])
