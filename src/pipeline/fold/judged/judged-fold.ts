// Counts, for a run or a variant, the verdicts that rest on a judge, and what is known about that judge's error. Memory grows with the
// number of judges and criteria, not with the run.
import type { ResultEvent } from '../../../model/event.js'
import type { JudgeEntry } from '../../../model/judge.js'
import { hasVerdict } from '../../../model/status.js'
import type { JudgedCount, LabelCounts } from '../statistics/judged-rate.js'
import type { LabelMethod } from './corrected-rate.js'
import { restsOn, type DecidingCheck } from './resting.js'

/** What is known beside a run. The licences that were there when it began are in its results. */
export interface JudgedSource {
  /** Labels of this very run. */
  method(hash: string): LabelMethod | undefined
  /** What people said of an answer; undefined: nothing, or that they cannot tell. */
  label(result: ResultEvent, check: DecidingCheck): boolean | undefined
  licence(hash: string): LabelCounts | undefined
}

/** The results that one judge with one criterion decides. Everything in it is about the result: a negated judge is turned around. */
export interface JudgedGroup {
  judge: JudgeEntry
  criterion: unknown
  judged: JudgedCount
  labels: LabelCounts
  method?: LabelMethod | undefined
  licence?: LabelCounts | undefined
}

export interface JudgedSide {
  /** All results with a verdict, judged or not. */
  all: JudgedCount
  groups: ReadonlyMap<string, JudgedGroup>
  /** Results that depend on several judges at once. */
  several: number
}

export class JudgedFold implements JudgedSide {
  readonly all: JudgedCount = { passed: 0, count: 0 }
  readonly groups = new Map<string, JudgedGroup>()
  several = 0
  readonly #source: JudgedSource | undefined

  constructor(source?: JudgedSource) {
    this.#source = source
  }

  add(result: ResultEvent): void {
    if (!hasVerdict(result)) return
    const isPassed = result.status === 'passed'
    count(this.all, isPassed)
    const found = restsOn(result)
    if (found === 'several') this.several++
    if (found === undefined || found === 'several') return
    const group = this.#groupOf(found)
    count(group.judged, isPassed)
    const licence = found.judge.licence ?? this.#source?.licence(found.judge.hash)
    if (licence) group.licence = found.negated ? turned(licence) : licence
    const label = group.method && this.#source?.label(result, found)
    if (label !== undefined) group.labels[cellOf(isPassed, label !== found.negated)]++
  }

  #groupOf({ judge, criterion, negated }: DecidingCheck): JudgedGroup {
    const key = `${judge.hash}${negated ? ' negated' : ''}`
    let group = this.groups.get(key)
    if (!group) {
      const { licence: _counted, ...entry } = judge
      const labels = { both_pass: 0, judge_pass_only: 0, people_pass_only: 0, both_fail: 0 }
      const method = this.#source?.method(judge.hash)
      group = { judge: entry, criterion, judged: { passed: 0, count: 0 }, labels, method }
      this.groups.set(key, group)
    }
    return group
  }
}

function count(counted: JudgedCount, isPassed: boolean): void {
  counted.count++
  if (isPassed) counted.passed++
}

function cellOf(judge: boolean, people: boolean): keyof LabelCounts {
  if (judge) return people ? 'both_pass' : 'judge_pass_only'
  return people ? 'people_pass_only' : 'both_fail'
}

function turned({ both_pass, judge_pass_only, people_pass_only, both_fail }: LabelCounts): LabelCounts {
  return {
    both_pass: both_fail,
    judge_pass_only: people_pass_only,
    people_pass_only: judge_pass_only,
    both_fail: both_pass,
  }
}
