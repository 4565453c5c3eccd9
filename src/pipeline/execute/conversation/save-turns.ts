// A conversation that a person (or a simulator) led → a case with static turns, so that exploring leaves a regression test.
import { ECHOED, type AssertionResult } from '../../../model/assertion.js'
import { expectedAssertion } from '../../../model/expected-assertion.js'
import type { TestCase } from '../../../model/case.js'
import type { ResultEvent, TurnResult } from '../../../model/event.js'
import { defined } from '../../../base/defined.js'

export function wasLedByPerson(result: ResultEvent): boolean {
  return result.turns?.some((turn) => turn.input_source === 'human' && wasSaid(turn)) === true
}

/**
 * The case as an author would write it. `written` is the case that ran: everything it says stays, only its turns are
 * now complete. Undefined if nothing was said.
 */
export function staticTurnsCase(result: ResultEvent, written?: TestCase): Record<string, unknown> | undefined {
  const said = (result.turns ?? []).filter(wasSaid)
  if (said.length === 0) return undefined
  const turns = said.map((turn, index) => staticTurn(turn, index, written))
  return defined({
    ...(written ? keptOf(written) : { name: result.name, tags: result.tags }),
    // Two runs of a case make two conversations, and ids are unique.
    id: result.run > 1 ? `${result.id}-${result.run}` : result.id,
    turns: [...turns, ...turnsLeft(said.length, written)],
    final_assertions: written ? nonEmpty(written.final_assertions) : echoes(result.final_assertions),
    on_missing_input: 'end',
  })
}

/** What a case says apart from who speaks when. */
function keptOf(written: TestCase): Record<string, unknown> {
  const {
    line: _line,
    type: _type,
    input: _input,
    attachments: _attachments,
    interactive: _interactive,
    simulator: _simulator,
    messages,
    assertions,
    expected,
    ...kept
  } = written
  if (isOneTurn(written)) return kept
  const history = written.turns?.[0]?.input === undefined ? undefined : messages
  return defined({ ...kept, messages: history, assertions: nonEmpty(assertions), expected })
}

/** Its assertions were about the only answer, which is now the first of several. */
function isOneTurn({ turns, simulator }: TestCase): boolean {
  return (turns === undefined || turns.length === 0) && simulator === undefined
}

function staticTurn(turn: TurnResult, index: number, written: TestCase | undefined): Record<string, unknown> {
  const planned = written?.turns?.[index]
  const single = index === 0 && written && isOneTurn(written) ? written : undefined
  return defined({
    input: turn.input,
    assertions:
      nonEmpty(planned?.assertions ?? single?.assertions) ??
      (single?.expected === undefined ? undefined : [expectedAssertion(single.expected)]) ??
      (written ? undefined : echoes(turn.assertions)),
    options: planned?.options,
    attachments: nonEmpty([...((index === 0 && written?.attachments) || []), ...(planned?.attachments ?? [])]),
  })
}

/** The author's turns that did not run, because one before them failed. */
function turnsLeft(said: number, written: TestCase | undefined): Record<string, unknown>[] {
  const left = (written?.turns ?? []).slice(said).filter((turn) => turn.input !== undefined)
  return left.map(({ assertions, ...turn }) => defined({ ...turn, assertions: nonEmpty(assertions) }))
}

/** Without the written case, there is only what the results echo of each assertion. */
function echoes(results: AssertionResult[] | undefined): Record<string, unknown>[] | undefined {
  return nonEmpty(
    (results ?? []).map((result) =>
      Object.fromEntries(
        (['type', ...ECHOED] as const).filter((key) => result[key] !== undefined).map((key) => [key, result[key]]),
      ),
    ),
  )
}

function wasSaid(turn: TurnResult): boolean {
  return (turn.status === 'passed' || turn.status === 'failed') && turn.input !== null && turn.input !== undefined
}

function nonEmpty<T>(list: T[] | undefined): T[] | undefined {
  return list && list.length > 0 ? list : undefined
}
