// How often an assertion of a kind, learned from some good runs of a case, holds on another good run of it. What an agent may
// do as it likes (look something up, word an answer) shows by itself: such assertions fail, and are not proposed.
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import type { Conduct } from '../conduct.js'
import type { Stages } from '../stage.js'
import { candidatesFor } from './candidates.js'
import type { Tools } from './from-calls.js'
import { failingIn } from './proposals.js'

/** One that is wrong more often than this is not worth a person's time. */
const MOST_WRONG = 0.02

export class Reliability {
  readonly #seen = new Map<string, { held: number; failed: number }>()

  /** Leaves out one good run after another, and sees what the others say about it. */
  async add(stages: Stages, testCase: TestCase, goods: readonly Conduct[], tools: Tools): Promise<void> {
    if (goods.length < 2) return
    for (const [index, left] of goods.slice(0, MOST_RUNS).entries()) {
      const others = goods.filter((_, at) => at !== index)
      const candidates = candidatesFor(others, tools)
      const failed = await failingIn(stages, testCase, candidates)(left)
      for (const [at, spec] of candidates.entries()) this.#count(kindOf(spec), !failed.has(at))
    }
  }

  /** True where nothing is known: then it only has to hold on the runs that there are. */
  isTrusted(spec: AssertionSpec): boolean {
    const { name } = spec
    if (!this.#isSound(kindOf(spec))) return false
    // A tool that may be left out may be called, too, and the other way round.
    if (typeof name !== 'string') return true
    return ['tool_called', 'tool_not_called'].every((type) => this.#isSound(kindOf({ type, name })))
  }

  #isSound(kind: string): boolean {
    const { held, failed } = this.#seen.get(kind) ?? { held: 0, failed: 0 }
    return failed <= (held + failed) * MOST_WRONG
  }

  #count(kind: string, holds: boolean): void {
    const seen = this.#seen.get(kind) ?? { held: 0, failed: 0 }
    seen[holds ? 'held' : 'failed'] += 1
    this.#seen.set(kind, seen)
  }
}

/** Of one case: more would say the same at more cost. */
const MOST_RUNS = 10

/** What it is about and how closely it looks, without the values. */
function kindOf(spec: AssertionSpec): string {
  const { type, name, outcome, arguments_match, times } = spec
  const args = spec['arguments'] === undefined ? '' : arguments_match === 'exact' ? 'exact' : 'some'
  return [
    type,
    typeof name === 'string' ? name : '',
    args,
    times === undefined ? '' : 'times',
    typeof outcome === 'string' ? outcome : '',
  ].join(' ')
}
