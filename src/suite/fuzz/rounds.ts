// Rounds of ordinary runs: which cases are asked how often, and what came of it.
import type { TestCase } from '../../model/case.js'
import type { ResultEvent } from '../../model/event.js'
import type { Change } from './operator.js'
import { outcomeOf, type Outcome } from './outcome.js'
import { changedCase, type Try } from './plan.js'

/** Runs the cases so often, as any run; calls back with each result. `search`: a question on the way, not to be kept. */
export type RunRound = (round: {
  cases: TestCase[]
  runs: number
  kind: 'unchanged' | 'changed' | 'repeated' | 'search'
  onResult(result: ResultEvent): void
}) => Promise<void>

/** A case in a round, and how its results are read. */
export interface Entry {
  testCase: TestCase
  injection: boolean
}

export interface Tally {
  passed: number
  failed: number
  /** A run of it could not be judged. */
  isUnknown?: true
  reason?: string
}

/** Rounds of ordinary runs, counted. */
export class Rounds {
  count = 0
  readonly #run: RunRound

  constructor(run: RunRound) {
    this.#run = run
  }

  /** By id. */
  async run(entries: Entry[], runs: number, kind: Parameters<RunRound>[0]['kind']): Promise<Map<string, Tally>> {
    const injected = new Map(entries.map(({ testCase, injection }) => [testCase.id, injection]))
    const tallies = new Map<string, Tally>()
    await this.#run({
      cases: entries.map(({ testCase }) => testCase),
      runs,
      kind,
      onResult: (result) => {
        this.count++
        // Over all runs of the case; there is one agent.
        const { id } = result
        const tally = tallies.get(id) ?? { passed: 0, failed: 0 }
        tallies.set(id, added(tally, outcomeOf(result, injected.get(id) === true)))
      },
    })
    return tallies
  }
}

function added(tally: Tally, { kind, reason }: Outcome): Tally {
  const why = reason === undefined || tally.reason !== undefined ? {} : { reason }
  if (kind === 'unreached') return { ...tally, ...why }
  if (kind === 'unknown') return { ...tally, isUnknown: true, ...why }
  return { ...tally, [kind]: tally[kind] + 1, ...(kind === 'failed' && why) }
}

/**
 * The case as it is, but under another id, as the changed ones: a mock or a store may go by it, and then nothing can be said
 * about changes.
 */
export function plainEntry(testCase: TestCase, id = unchangedId(testCase.id)): Entry {
  return { testCase: { ...testCase, id }, injection: false }
}

export function unchangedId(id: string): string {
  return `${id}~unchanged`
}

export function tryEntry({ id, subject, change }: Try): Entry {
  return entryOf(id, subject.testCase, change)
}

export function entryOf(id: string, testCase: TestCase, change: Change): Entry {
  return { testCase: { ...changedCase(testCase, change), id }, injection: change.injection !== undefined }
}
