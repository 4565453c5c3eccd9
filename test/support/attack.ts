// Many tries at a wrong verdict in one run: the cases of a table, and an agent that answers with what its input says.
import { writeFiles, parseEvents, viva, type Files } from './run-cli.js'
import type { ResultEvent } from '../../src/model/event.js'

/** `./agent.mjs#run` returns its last message, evaluated. */
export const ANSWERS_ITS_INPUT: Files = {
  'agent.mjs': `export const run = (given) => {
  const messages = Array.isArray(given) ? given : given.messages
  return (0, eval)('(' + (messages ? messages.at(-1).content : given) + ')')
}
`,
}

/** For each case its status, `not_shown`, or `error` where an assertion could not be checked or a judge gave no verdict. */
export async function verdictsOf(
  cwd: string,
  cases: readonly object[],
  target: string,
  more: string[] = [],
): Promise<string[]> {
  const ids = cases.map((_, index) => `T${index + 1}`)
  writeFiles(cwd, { 'tries.jsonl': cases.map((given, index) => ({ id: ids[index], ...given })) })
  const { stdout, stderr } = await viva(['test', '-i', 'tries.jsonl', '-n', target, '--json', ...more], { cwd })
  const results = parseEvents(stdout).filter(({ type }) => type === 'result') as unknown as ResultEvent[]
  if (results.length === 0) throw new Error(stderr)
  const found = new Map(results.map((result) => [result.id, verdictOf(result)]))
  return ids.map((id) => found.get(id) ?? 'no result')
}

function verdictOf({ status, skipped_by, error_kind }: ResultEvent): string {
  if (skipped_by === 'not_shown') return skipped_by
  return error_kind === 'input' || error_kind === 'validator' ? 'error' : status
}

/** The tries whose verdict is not the wanted one, each with both. */
export function surprises<T>(
  tries: ReadonlyArray<readonly [given: T, wanted: string, ...rest: unknown[]]>,
  found: readonly string[],
): Array<{ given: T; wanted: string; found: string | undefined }> {
  const all = tries.map(([given, wanted], index) => ({ given, wanted, found: found[index] }))
  return all.filter((each) => each.found !== each.wanted)
}
