// What a case leaves besides its result travels with it, and is stored before it.
import type { ResultEvent } from '../model/event.js'
import { runKey, type RunName } from '../model/run-key.js'
import type { Prepared } from '../run/prepare.js'
import type { ScriptCoverage } from '../run/project.js'
import { WHOLE_RUN, type Beside } from './protocol.js'

/** On the worker, as JSON: for this case, and what belongs to all and has not been sent yet. */
export function collectBeside(
  { id, run, variant }: RunName,
  { recordings, snapshots }: Prepared,
  scripts: ScriptCoverage | undefined,
): string[] {
  const own = { id, run, variant }
  const tape = recordings?.collect?.(own)
  const shared = recordings?.collect?.()
  const notes = snapshots.collect(own)
  const coverage = scripts?.takeCoverage()
  const beside: Beside[] = []
  if (shared || coverage) beside.push({ id: WHOLE_RUN, run: 1, tape: shared, coverage })
  if (tape || notes) beside.push({ ...own, tape, snapshots: notes })
  return beside.map((each) => JSON.stringify(each))
}

type TakeNotes = Awaited<ReturnType<Prepared['snapshots']['taker']>>

/** At the coordinator. */
export class BesideTaker {
  readonly #prepared: Prepared
  readonly #takeNotes: TakeNotes
  readonly #coverage: ScriptCoverage | undefined
  /** What could not be kept: errors of the run. */
  readonly problems: string[] = []

  private constructor(prepared: Prepared, takeNotes: TakeNotes, coverage: ScriptCoverage | undefined) {
    this.#prepared = prepared
    this.#takeNotes = takeNotes
    this.#coverage = coverage
  }

  static async open(prepared: Prepared): Promise<BesideTaker> {
    return new BesideTaker(prepared, await prepared.snapshots.taker(), await prepared.project.coverage())
  }

  /** Whatever becomes of the unit: the worker does not send it again. */
  shared(beside: readonly Beside[] = []): void {
    for (const { id, tape, coverage } of beside) {
      if (id !== WHOLE_RUN) continue
      if (tape) this.#prepared.recordings?.take?.(tape)
      if (coverage && this.#coverage?.addCoverage(coverage) === false)
        this.problems.push('coverage reported by a worker has an unexpected shape: it is left out')
    }
  }

  /** For a result that counts, or for what was called around the tests of a unit that is done. */
  of(own: ResultEvent | RunName, beside: readonly Beside[] = []): void {
    const found = beside.find((each) => runKey(each) === runKey(own))
    if (found?.tape) this.#prepared.recordings?.take?.(found.tape, own)
    if (found?.snapshots) this.problems.push(...this.#takeNotes(own, found.snapshots))
  }
}
