// What was checked, with the verdict of each; what failed is open.
import type { AssertionResult } from '../../../../model/assertion.js'
import { cellText } from '../../../../model/result-row.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { StatusIcon } from '../icons.js'
import { LongText, Text } from '../text.js'
import { Value } from '../value.js'
import { Section } from './section.js'
import { Sides } from './sides.js'
import { UnifiedDiff } from './unified-diff.js'

export function AssertionList({ title, items, paper }: { title: string; items: AssertionResult[]; paper?: boolean }) {
  const failed = items.filter((item) => !item.passed).length
  const note = failed === 0 ? `${plural(items.length, 'check')} passed` : `${failed} of ${items.length} failed`
  return (
    <Section title={title} note={note}>
      <Assertions items={items} paper={paper} />
    </Section>
  )
}

export function Assertions({ items, paper = false }: { items: AssertionResult[]; paper?: boolean | undefined }) {
  return (
    <ul class="assertions">
      {items.map((item, index) => (
        <li key={index}>
          <Assertion item={item} paper={paper} />
        </li>
      ))}
    </ul>
  )
}

function Assertion({ item, paper }: { item: AssertionResult; paper: boolean }) {
  const mark = item.error ? 'error' : item.passed ? 'passed' : 'failed'
  return (
    <details class={`assertion status-${mark}`} open={!item.passed}>
      <summary>
        <StatusIcon mark={mark} label={item.error ? 'Could not be checked' : undefined} />
        <span class="assertion-type">{visible(item.type)}</span>
        <span class="assertion-what">
          <bdi>{visible(describe(item))}</bdi>
        </span>
        {item.score !== undefined && <Score value={item.score} />}
        {item.duration_ms !== undefined && item.duration_ms >= 1 && (
          <span class="muted">{formatDuration(item.duration_ms)}</span>
        )}
      </summary>
      <div class="assertion-body">
        {item.error && <LongText value={item.error} mono />}
        {item.message && (
          <p class={item.passed ? 'muted' : 'wrong'} dir="auto">
            <Text value={item.message} />
          </p>
        )}
        <Comparison item={item} />
        {item.parts && item.parts.length > 0 && <Assertions items={item.parts} paper={paper} />}
      </div>
    </details>
  )
}

function Comparison({ item }: { item: AssertionResult }) {
  if (item.diff) return <UnifiedDiff text={item.diff} />
  if (!item.passed && ('expected' in item || 'actual' in item))
    return <Sides expected={item.expected} actual={item.actual} />
  if (item.value === undefined && item.actual === undefined) return null
  return (
    <dl class="pairs">
      {item.value !== undefined && (
        <div>
          <dt>Value</dt>
          <dd>
            <Value value={item.value} mono />
          </dd>
        </div>
      )}
      {item.actual !== undefined && (
        <div>
          <dt>Actual</dt>
          <dd>
            <Value value={item.actual} mono />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Score({ value }: { value: number }) {
  return (
    <span class="score">
      <meter min={0} max={1} value={value} aria-label="Score" /> {Number(value.toFixed(2))}
    </span>
  )
}

function describe(item: AssertionResult): string {
  if (item.label) return item.label
  return [item.path, item.name, item.value ?? item.expected]
    .filter((part) => part !== undefined)
    .map((part) => cellText(part, 90))
    .join(' ')
}
