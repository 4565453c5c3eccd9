// What a diff found, in the words and lists that the console, the comment and the JSON document share.
import type { StartEvent, SummaryEvent } from '../../../model/event.js'
import { describeDecision, describeVerdict } from '../../fold/decide/describe-decision.js'
import { changesOf } from '../side-by-side.js'
import type { ChangedCases } from './changed-cases.js'

export interface DiffReport {
  format: 1
  left: NonNullable<StartEvent['diff']>['left'] & { name: string }
  right: NonNullable<StartEvent['diff']>['right'] & { name: string }
  /** `cannot_compare`: the run was cut short, or too few runs had a verdict. */
  verdict: 'worse' | 'slightly_worse' | 'not_worse' | 'undecided' | 'cannot_compare'
  /** Cases of the left side that are gone, ask something else or check less: the right side is tested by other cases. */
  changed_cases?: string
  /** One sentence, and the same without the numbers. */
  conclusion: string
  headline: string
  /** Time, cost and behaviour, if there is something to say. */
  changes: string[]
  decision?: SummaryEvent['decision']
  variants: NonNullable<SummaryEvent['variants']>
  cases: ChangedCases
  exit_code: number
  reasons: string[]
  without?: string[]
  events_file?: string
  reports: string[]
}

export interface DiffFacts extends Pick<DiffReport, 'changed_cases'> {
  left: DiffReport['left']
  right: DiffReport['right']
  summary: SummaryEvent
  exit_code: number
  cases: ChangedCases
  events_file?: string | undefined
  reports: string[]
}

export function diffReport(facts: DiffFacts): DiffReport {
  const { left, right, summary, changed_cases, cases, events_file, reports, exit_code } = facts
  const { decision, variants = [], reasons = [], without } = summary
  // What is not the same test any more comes first.
  const first = changed_cases === undefined ? '' : `${changed_cases}; `
  const [baseline, after] = variants
  const isOpen = !decision || decision.needed?.what === 'verdicts'
  const other = reasons.filter((reason) => !reason.startsWith('cannot compare')).join('; ')
  const cut = `cannot compare: ${other || 'the run was cut short'}`
  return {
    format: 1,
    left,
    right,
    verdict: isOpen ? 'cannot_compare' : decision.verdict,
    ...(changed_cases !== undefined && { changed_cases }),
    conclusion: `${first}${decision ? describeDecision(decision, decision.rule) : cut}`,
    headline: `${first}${decision ? describeVerdict(decision, decision.rule) : cut}`,
    changes: baseline && after ? changesOf(after, baseline) : [],
    ...(decision && { decision }),
    variants,
    cases,
    exit_code,
    reasons,
    ...(without && { without }),
    ...(events_file !== undefined && { events_file }),
    reports,
  }
}

export function titleOf({ ref, commit, working_tree }: DiffReport['left']): string {
  return working_tree ? `working tree on ${commit.slice(0, 7)}` : `${ref} (${commit.slice(0, 7)})`
}
