// Which cases passed less often, or more often, on the right side: collected during the run.
import { preview } from '../../../base/text.js'
import type { ResultEvent, RunEvent } from '../../../model/event.js'
import { hasVerdict } from '../../../model/status.js'
import { caseKey, type CaseKey } from '../../../model/run-key.js'

export interface ChangedCase {
  id: string
  name?: string
  /** Passed out of all runs, including those without a verdict. */
  before: RunsOfCase
  after: RunsOfCase
  /** Of the first run on the right that did not pass. */
  error?: string
}

export interface RunsOfCase {
  passed: number
  runs: number
  /** Ended without a verdict. */
  lost: number
}

export interface ChangedCases {
  fell: ChangedCase[]
  rose: ChangedCase[]
}

const ERROR_LENGTH = 300

export class ChangedCasesFold {
  readonly #left: string
  readonly #cases = new Map<CaseKey, ChangedCase>()

  /** `left`: the name of the variant. */
  constructor(left: string) {
    this.#left = left
  }

  add(event: RunEvent): void {
    if (event.type !== 'result') return
    const found = this.#caseOf(event)
    const isLeft = event.variant === this.#left
    const side = isLeft ? found.before : found.after
    side.runs++
    if (event.status === 'passed') side.passed++
    else if (!hasVerdict(event)) side.lost++
    const error = event.error ?? event.assertion_errors?.[0] ?? event.skip_reason
    if (!isLeft && event.status !== 'passed' && error !== undefined) found.error ??= preview(error, ERROR_LENGTH)
  }

  /** Those that moved most first. */
  changed(): ChangedCases {
    const all = [...this.#cases.values()].filter(({ before, after }) => before.runs > 0 && after.runs > 0)
    const by = (one: ChangedCase): number => rateOf(one.after) - rateOf(one.before)
    return {
      fell: all.filter((each) => by(each) < 0).toSorted((one, other) => by(one) - by(other)),
      rose: all.filter((each) => by(each) > 0).toSorted((one, other) => by(other) - by(one)),
    }
  }

  #caseOf({ id, name }: ResultEvent): ChangedCase {
    const key = caseKey({ id })
    let found = this.#cases.get(key)
    if (!found) {
      found = { id, ...(name !== undefined && { name }), before: newRuns(), after: newRuns() }
      this.#cases.set(key, found)
    }
    return found
  }
}

export function describeRuns({ passed, runs, lost }: RunsOfCase): string {
  return `${passed}/${runs}${lost > 0 ? ` (${lost} without a verdict)` : ''}`
}

function rateOf({ passed, runs }: RunsOfCase): number {
  return passed / runs
}

function newRuns(): RunsOfCase {
  return { passed: 0, runs: 0, lost: 0 }
}
