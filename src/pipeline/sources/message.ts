// `-i TEXT`: one message is one case, with the checks that the command line names, if any.
import type { CaseSource } from '../../model/source.js'
import type { OpenSourceOptions } from './open-options.js'
import { casesFromValues } from './values.js'

export async function openMessage(message: string, options: OpenSourceOptions): Promise<CaseSource> {
  const {
    cwd,
    message: { expected, criterion } = { criterion: [] },
    stdin: _stdin,
    checksIn: _checksIn,
    ...checks
  } = options
  const assertions = [
    ...(expected === undefined ? [] : [{ type: 'equals', value: expected }]),
    ...criterion.map((value) => ({ type: 'agent', value })),
  ]
  if (assertions.length === 0) return unchecked(message, cwd)
  const kind = 'message' as const
  return casesFromValues([{ id: 'T001', input: message, assertions }], { kind, label: message, dir: cwd, ...checks })
}

/** Its answer is shown, not judged. */
function unchecked(message: string, cwd: string): CaseSource {
  return {
    kind: 'message',
    label: message,
    dir: cwd,
    total: 1,
    warnings: [],
    multi_turn: false,
    async *cases() {
      yield [{ testCase: { id: 'T001', input: message, assertions: [] } }]
    },
    close: async () => {},
  }
}
