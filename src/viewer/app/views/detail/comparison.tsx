// What an assertion expected and what it found.
import type { AssertionResult } from '../../../../model/assertion.js'
import type { ContractFinding } from '../../../../model/contract.js'
import { contractFinding } from '../../../../model/contract-text.js'
import { checkedFields } from '../../../../model/assertion-label.js'
import { isJudge } from '../../../../pipeline/report/step-words.js'
import { capitalised } from '../../../../base/text.js'
import { nearest, sidesOf, type AnswerSeen } from '../../text/failure.js'
import { Value } from '../value.js'
import { Sides } from './sides.js'
import { UnifiedDiff } from './unified-diff.js'

export function Comparison({ item, evidence }: { item: AssertionResult; evidence: AnswerSeen }) {
  const finding = contractFinding(item)
  if (finding) return <Finding finding={finding} />
  const sides = sidesOf(item, evidence)
  if (!item.passed && sides) {
    const within = WITHIN.has(item.type) ? { nearest: nearest(item) } : undefined
    return <Sides {...sides} within={within} labels={LABELS[item.type]} />
  }
  if (item.diff) return <UnifiedDiff text={item.diff} />
  const checked = checkedFields(item)
  if (checked.length === 0 && item.actual === undefined) return null
  return (
    <dl class="pairs">
      {checked.map(([name, value]) => (
        <Pair key={name} label={fieldWords(name, item)} value={value} />
      ))}
      {item.actual !== undefined && <Pair label="Actual" value={item.actual} />}
    </dl>
  )
}

/** The exchange that shows it is read as it was: a request and its answer are not compared. */
function Finding({ finding }: { finding: ContractFinding }) {
  const { request, answer, before, after, also, reason, fix } = finding
  const shown = Object.entries({ request, answer, before, after, also, why: reason, fix })
  return (
    <dl class="pairs">
      {shown.map(([name, value]) =>
        value === undefined ? null : <Pair key={name} label={capitalised(name)} value={value} />,
      )}
    </dl>
  )
}

/** The criterion of a judge is its value. */
function fieldWords(name: string, { type }: AssertionResult): string {
  return isJudge(type) && name === 'value' ? 'Criterion' : capitalised(name.replaceAll('_', ' '))
}

const WITHIN = new Set(['contains', 'regex'])

const LABELS: Record<string, [string, string]> = {
  contains: ['Expected to contain', 'Actual'],
  regex: ['Expected to match', 'Actual'],
  tool_called: ['Expected call', 'Called'],
}

function Pair({ label, value }: { label: string; value: unknown }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Value value={value} mono />
      </dd>
    </div>
  )
}
