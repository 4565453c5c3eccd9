// Who most likely failed a case, and why: the suspicions of all rules, ranked. Pure; no model is asked.
import type { ResultEvent } from '../../../model/event.js'
import { factsOf } from '../explain/facts.js'
import type { BlameFacts, BlameRule } from './blame-rule.js'
import { AGENT_RULES } from './parties/agent.js'
import { INFRASTRUCTURE_RULES } from './parties/infrastructure.js'
import { JUDGE_RULES } from './parties/judge.js'
import { SIMULATOR_RULES } from './parties/simulator.js'
import { TEST_RULES } from './parties/test.js'
import { CONFIDENCES } from './confidence.js'
import type { BlameContext } from './context.js'
import type { Blame, Party } from './party.js'
import { wrongStep } from './wrong-step.js'

/** Of two as likely, the first is named: an agent is judged by what it was given. */
const RULES: Array<[Party, readonly BlameRule[]]> = [
  ['infrastructure', INFRASTRUCTURE_RULES],
  ['test', TEST_RULES],
  ['simulator', SIMULATOR_RULES],
  ['judge', JUDGE_RULES],
  ['agent', AGENT_RULES],
]

/** `explained`: the rule that explains the failure. Nothing if nothing speaks against anyone. */
export function blameFor(result: ResultEvent, explained: string, seen: BlameContext = {}): Blame | undefined {
  const facts: BlameFacts = { ...factsOf(result), explained, seen }
  const ranked = RULES.flatMap(([party, rules]) => strongest(party, rules, facts)).toSorted(
    (a, b) => b.confidence - a.confidence,
  )
  const [first, ...others] = ranked
  if (first === undefined) return undefined
  const step = first.party === 'agent' ? wrongStep(facts) : undefined
  return {
    ...first,
    ...(step && { step }),
    ...(others.length > 0 && {
      others: others.map(({ party, confidence, why }) => ({ party, confidence, why })),
    }),
  }
}

/** Of one party; the first rule wins where two are as sure. */
function strongest(
  party: Party,
  rules: readonly BlameRule[],
  facts: BlameFacts,
): Array<Omit<Blame, 'step' | 'others'>> {
  const found = rules.flatMap(({ id, strength, find }) => {
    const suspicion = find(facts)
    return suspicion === undefined ? [] : [{ party, rule: id, confidence: CONFIDENCES[strength], ...suspicion }]
  })
  return found.toSorted((a, b) => b.confidence - a.confidence).slice(0, 1)
}
