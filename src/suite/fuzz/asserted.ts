// The values that a case's assertions look for: where they come from the input, the input must keep them.
import { stringsIn } from '../../base/strings-in.js'
import { isRecord } from '../../base/record.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { parseSpec } from '../../pipeline/assert/compile.js'

export function specsOf(testCase: TestCase): AssertionSpec[] {
  const { assertions, turns = [], final_assertions = [], checkpoints = [] } = testCase
  const own = [
    ...assertions,
    ...turns.flatMap((turn) => turn.assertions),
    ...final_assertions,
    ...checkpoints.map(({ assertion }) => assertion),
  ]
  return own.flatMap(withMembers)
}

function withMembers(spec: AssertionSpec): AssertionSpec[] {
  const { assertions } = spec
  return Array.isArray(assertions) ? assertions.flatMap((member) => withMembers(parseSpec(member))) : [spec]
}

/** A text or a number, as text. `exact`: it is compared letter for letter, so that only the very same could be an echo. */
export interface Asserted {
  text: string
  exact: boolean
}

export function assertedTexts(testCase: TestCase): Asserted[] {
  const found = new Map<string, boolean>()
  const values = [
    { value: testCase.expected, exact: false },
    ...specsOf(testCase).map((spec) => ({ value: comparedBy(spec), exact: isExact(spec) })),
  ]
  for (const { value, exact } of values)
    for (const text of textsOf(value)) if (text.trim() !== '') found.set(text, (found.get(text) ?? true) && exact)
  return [...found].map(([text, exact]) => ({ text, exact }))
}

/** Letter case counts: nothing in it says otherwise. */
function isExact(spec: AssertionSpec): boolean {
  return EXACT.has(spec.type) && spec['ignore_case'] !== true && !/\(\?\w*i|\$text|"flags"/.test(JSON.stringify(spec))
}

const EXACT = new Set(['contains', 'equals', 'regex', 'json_path', 'tool_called'])

/** What it is called and where it looks is not compared with anything that was said. */
function comparedBy({
  type,
  name: _name,
  tool: _tool,
  tools: _tools,
  path: _path,
  message: _message,
  ...rest
}: AssertionSpec): unknown {
  const { label: _label, use: _use, script: _script, value, ...compared } = rest
  if (!type.startsWith('tool_')) return { ...compared, value }
  return isRecord(value) ? { ...compared, value: value['arguments'] ?? value['args'] } : compared
}

function* textsOf(value: unknown): Generator<string> {
  yield* stringsIn(value)
  for (const number of JSON.stringify(value ?? null).match(/-?\d+(?:\.\d+)?/g) ?? []) yield number
}
