// What a case leaves besides its result travels with it, and is kept before it.
import { isAroundCases } from '../model/cassette.js'
import type { ResultEvent } from '../model/event.js'
import { runKey, type RunName } from '../model/run-key.js'
import type { Prepared } from '../run/prepare.js'
import { WHOLE_RUN, type Beside } from './protocol.js'

/** On the worker, as JSON: of this case, and what belongs to all and has not been sent yet. */
export function collectBeside({ id, run, variant }: RunName, { recordings }: Prepared): string[] {
  const tape = recordings?.collect?.({ id, run, variant })
  const shared = recordings?.collect?.()
  const beside: Beside[] = []
  if (shared) beside.push({ id: WHOLE_RUN, run: 1, tape: shared })
  if (tape) beside.push({ id, run, variant, tape })
  return beside.map((each) => JSON.stringify(each))
}

/** At the coordinator. Whatever becomes of the unit: the worker does not send it again. */
export function takeShared(beside: readonly Beside[] | undefined, { recordings }: Prepared): void {
  for (const { id, tape } of beside ?? []) if (id === WHOLE_RUN && tape) recordings?.take?.(tape)
}

/** Of a result that counts. */
export function takeBeside(result: ResultEvent, beside: readonly Beside[] | undefined, { recordings }: Prepared): void {
  const own = beside?.find((each) => runKey(each) === runKey(result))
  if (own?.tape) recordings?.take?.(own.tape, result)
}

/** What was called around the tests of a unit that is done. */
export function takeAround(
  around: RunName | undefined,
  beside: readonly Beside[] | undefined,
  { recordings }: Prepared,
): void {
  if (!around || !isAroundCases(around.id)) return
  const own = beside?.find((each) => runKey(each) === runKey(around))
  if (own?.tape) recordings?.take?.(own.tape, around)
}
