// What `viva mutate` found, as data: counts for the suite, what would pass unnoticed, and what would stop it.
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { written } from '../propose/candidates.js'
import { placesOf, printOf, type CaseMutation } from './mutate.js'

export interface MutationReport {
  type: 'mutation'
  format: 1
  input: string
  agent_id: string
  cases: number
  examined: number
  mutants: number
  killed: number
  survived: number
  /** Only a judge, a script or a snapshot could kill them. */
  open: number
  /** Of the open ones, those that judges were asked about in vain. */
  no_verdict?: number
  /** Percent of the mutants that were decided; absent: there were none. */
  score?: number
  not_examined: Array<{ id: string; reason: string }>
  vacuous: Array<{ id: string; agents: string[]; catch?: AssertionSpec; accepted?: string }>
  /** What could happen to users, the most frequent first. */
  survivors: SurvivorGroup[]
  proposals: ProposedAssertion[]
  /** Assertions that no mutant failed. */
  idle: Array<{ id: string; place: string; assertion: AssertionSpec }>
  /** Cases whose question and assertions another one has, too. */
  subsumed: Array<{ id: string; by: string }>
  operators: Array<{ operator: string; about: string; made: number; survived: number }>
  by_case: Array<Pick<CaseMutation, 'id' | 'mutants' | 'killed' | 'survived' | 'open'>>
  against?: { found: number; missed: number; missed_ids: string[] }
  /** What the lists leave out. */
  left_out: number
}

export interface SurvivorGroup {
  operator: string
  meaning: string
  survived: number
  cases: number
  examples: Array<{ id: string; what: string; assertion?: AssertionSpec }>
}

export interface ProposedAssertion {
  id: string
  /** The case file, if there are several. */
  file?: string
  place: string
  assertion: AssertionSpec
  kills: string[]
  support: number
}

const MOST_LISTED = 2_000
const MOST_EXAMPLES = 5

/** Takes one case after another; the lists are bounded, the counts are not. */
export class MutationFold {
  readonly #report: MutationReport
  readonly #groups = new Map<string, SurvivorGroup>()
  readonly #prints = new Map<string, Array<{ id: string; checks: Set<string> }>>()

  constructor({ input, agent_id }: { input: string; agent_id: string }) {
    this.#report = {
      type: 'mutation',
      format: 1,
      input,
      agent_id,
      cases: 0,
      examined: 0,
      mutants: 0,
      killed: 0,
      survived: 0,
      open: 0,
      not_examined: [],
      vacuous: [],
      survivors: [],
      proposals: [],
      idle: [],
      subsumed: [],
      operators: [],
      by_case: [],
      left_out: 0,
    }
  }

  add(testCase: TestCase, found: CaseMutation): void {
    const report = this.#report
    report.cases++
    this.#compare(testCase)
    if (found.vacuous) this.#list(report.vacuous, found.vacuous)
    if (found.not_examined !== undefined) {
      this.#list(report.not_examined, { id: found.id, reason: found.not_examined })
      return
    }
    const { id, mutants, killed, survived, open } = found
    report.examined++
    report.mutants += mutants
    report.killed += killed
    report.survived += survived
    report.open += open
    this.#list(report.by_case, { id, mutants, killed, survived, open })
    for (const survivor of found.survivors) this.#group(found, survivor)
    for (const proposal of found.proposals)
      this.#list(report.proposals, { id, ...(testCase.file !== undefined && { file: testCase.file }), ...proposal })
    const specs = new Map(placesOf(testCase).map(({ place, spec }) => [place, spec]))
    for (const place of found.idle) this.#list(report.idle, { id, place, assertion: specs.get(place) ?? { type: '' } })
    for (const [operator, counts] of Object.entries(found.made)) this.#count(operator, counts)
    if (found.against) this.#against(id, found.against)
  }

  /** What a judge said later about a mutant that was open. */
  decide(id: string, survivor: CaseMutation['survivors'][number], verdict: 'killed' | 'survived'): void {
    const report = this.#report
    for (const counts of [report, report.by_case.find((each) => each.id === id)]) {
      if (!counts) continue
      counts.open--
      counts[verdict]++
    }
    if (verdict === 'killed') return
    const row = report.operators.find(({ operator }) => operator === survivor.operator)
    if (row) row.survived++
    this.#group({ id, proposals: [] }, survivor)
  }

  report(): MutationReport {
    const report = this.#report
    const decided = report.killed + report.survived
    return {
      ...report,
      ...(decided > 0 && { score: Math.round((1000 * report.killed) / decided) / 10 }),
      survivors: [...this.#groups.values()].toSorted(
        (left, right) => right.cases - left.cases || right.survived - left.survived,
      ),
    }
  }

  #list<T>(list: T[], item: T): void {
    if (list.length < MOST_LISTED) list.push(item)
    else this.#report.left_out++
  }

  #count(operator: string, { about, made, survived }: { about: string; made: number; survived: number }): void {
    const row = this.#report.operators.find((each) => each.operator === operator)
    if (!row) return void this.#report.operators.push({ operator, about, made, survived })
    row.made += made
    row.survived += survived
  }

  #group(
    { id, proposals }: Pick<CaseMutation, 'id' | 'proposals'>,
    { operator, meaning, what, killed_by }: CaseMutation['survivors'][number],
  ): void {
    const group = this.#groups.get(operator) ?? { operator, meaning, survived: 0, cases: 0, examples: [] }
    const last = group.examples.at(-1)
    group.survived++
    if (this.#lastCase.get(operator) !== id) group.cases++
    this.#lastCase.set(operator, id)
    const assertion = killed_by === undefined ? undefined : proposals[killed_by]?.assertion
    if (group.examples.length < MOST_EXAMPLES && last?.id !== id)
      group.examples.push({ id, what, ...(assertion && { assertion }) })
    this.#groups.set(operator, group)
  }

  readonly #lastCase = new Map<string, string>()

  /** One that asks the same, and checks no more. */
  #compare(testCase: TestCase): void {
    const { asked, checks } = printOf(testCase)
    const same = this.#prints.get(asked) ?? []
    for (const other of same) {
      if ([...checks].every((check) => other.checks.has(check))) {
        this.#list(this.#report.subsumed, { id: testCase.id, by: other.id })
        return
      }
      if ([...other.checks].every((check) => checks.has(check)))
        this.#list(this.#report.subsumed, { id: other.id, by: testCase.id })
    }
    this.#prints.set(asked, [...same, { id: testCase.id, checks }])
  }

  #against(id: string, { found, missed }: { found: number; missed: number }): void {
    const against = (this.#report.against ??= { found: 0, missed: 0, missed_ids: [] })
    against.found += found
    against.missed += missed
    if (missed > 0) this.#list(against.missed_ids, id)
  }
}

/** The shortest way to say what to do about a survivor. */
export function proposalText(spec: AssertionSpec): string {
  return written(spec)
}
