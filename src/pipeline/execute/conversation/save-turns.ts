// A conversation that a person (or a simulator) led → a case with static turns, so that exploring leaves a regression test.
import type { AssertionResult } from '../../../model/assertion.js'
import type { TestCase } from '../../../model/case.js'
import type { ResultEvent, TurnResult } from '../../../model/event.js'
import { defined } from '../../../util/defined.js'

export function wasLedByPerson(result: ResultEvent): boolean {
  return result.turns?.some((turn) => turn.input_source === 'human' && wasSaid(turn)) === true
}

/**
 * The case as an author would write it. `written` is the case that ran: its turns keep their assertions, options and
 * attachments. Undefined when nothing was said.
 */
export function staticTurnsCase(result: ResultEvent, written?: TestCase): Record<string, unknown> | undefined {
  const said = (result.turns ?? []).filter(wasSaid)
  if (said.length === 0) return undefined
  return defined({
    id: result.id,
    name: result.name,
    tags: result.tags,
    options: written?.options,
    metadata: written?.metadata,
    timeout: written?.timeout,
    turns: said.map((turn, index) => staticTurn(turn, index, written)),
    final_assertions: written ? nonEmpty(written.final_assertions) : echoes(result.final_assertions),
    on_missing_input: 'end',
  })
}

function staticTurn(turn: TurnResult, index: number, written: TestCase | undefined): Record<string, unknown> {
  const planned = written?.turns?.[index]
  const single = index === 0 && !written?.turns?.length ? written : undefined
  return defined({
    input: turn.input,
    assertions: nonEmpty(planned?.assertions ?? single?.assertions) ?? (written ? undefined : echoes(turn.assertions)),
    options: planned?.options,
    attachments: planned?.attachments ?? (index === 0 ? written?.attachments : undefined),
  })
}

const ECHOED = [
  'type',
  'value',
  'name',
  'path',
  'label',
  'weight',
  'negate',
  'tool',
  'tools',
  'use',
  'script',
  'criterion',
]

/** Without the written case, what the results echo of each assertion is all there is. */
function echoes(results: AssertionResult[] | undefined): Record<string, unknown>[] | undefined {
  return nonEmpty(
    (results ?? []).map((result) =>
      Object.fromEntries(ECHOED.filter((key) => result[key] !== undefined).map((key) => [key, result[key]])),
    ),
  )
}

function wasSaid(turn: TurnResult): boolean {
  return (turn.status === 'passed' || turn.status === 'failed') && turn.input !== null && turn.input !== undefined
}

function nonEmpty<T>(list: T[] | undefined): T[] | undefined {
  return list && list.length > 0 ? list : undefined
}
