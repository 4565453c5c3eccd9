// A rule: an id, why it matters, what to do, and how to see it in one aspect of what is linted.
import type { Found, Severity } from './finding.js'
import type { Aspects } from './subject.js'

export interface RuleOn<Aspect extends keyof Aspects> {
  id: string
  /** What it looks at. */
  on: Aspect
  severity: Severity
  /** What is wrong, as a phrase. */
  summary: string
  reason: string
  fix: string
  find(aspect: Aspects[Aspect]): Iterable<Found>
}

/** Rules of all aspects in one list: `find` takes what `on` names. */
export type Rule = { [Aspect in keyof Aspects]: RuleOn<Aspect> }[keyof Aspects]

export function defineRule<Aspect extends keyof Aspects>(rule: RuleOn<Aspect>): RuleOn<Aspect> {
  return rule
}
