// What the original implementation does. Every difference is listed with its reason.
import { expect, test } from 'vitest'
import { checkOne, evidenceOf, servicesOf } from '../../../test/support/assertions.js'
import { conformanceFile, type ConformanceRow } from '../../../test/support/conformance.js'
import type { ToolCall } from '../../model/message.js'
import { findJson } from '../../base/json/find-json.js'
import { compilePath, pathSegments } from '../../base/json/json-path.js'
import { compileAssertions } from './compile.js'
import { evaluate } from './evaluate.js'
import { outputOf } from './extract-output.js'
import { parseVerdict, UnusableAnswer } from './judge/verdict.js'
import { toolNameMatcher } from './tool-match.js'

const DIFFERENT: Record<string, string> = {
  'equals number vs numeric string': 'text that is JSON for the other side is equal',
  'unknown type': '`schema` is a type here; an unknown one is an error at load',
  'non-object items in list are ignored': 'a bare text is a type; nothing that may be an assertion is ignored',
  'regex invalid': 'an error at load instead of a failed case',
  'regex value not a string': 'an error at load instead of a failed case',
  'type value not a string': 'an error at load instead of a failed case',
  'tool called - no response': 'assertions run only where there is a reply, so the text is "no tools were called"',
  'nonexistent validator': 'an error of the validator, not a failure',
  'Missing closing brace': 'an answer that was cut off is not completed by guessing',
}

const rows = ['assert', 'jsonpath', 'extract_json', 'json_parse', 'agent_assert', 'dynamic'].flatMap(conformanceFile)
const area = (...names: string[]) => rows.filter((row) => names.includes(row.area))
const conforming = (...names: string[]) => area(...names).filter((row) => !(row.name in DIFFERENT))
const named = (name: string) => rows.find((row) => row.name === name)

test.each(conforming('assert'))('assert: $name', async ({ given, expect: wanted }) => {
  const specs = Array.isArray(given['assert']) ? given['assert'] : [given['assert']]
  const evidence = evidenceOf({ output: given['output'], tool_calls: toolCalls(given['response']) })
  const results = await evaluate(compileAssertions(specs), evidence, servicesOf())
  const message = results.find((result) => !result.passed)?.message
  expect(results.every((result) => result.passed)).toBe(wanted['passed'])
  if (wanted['message'] !== undefined) expect(message).toBe(wanted['message'])
})

test.each(conforming('tool_name_match'))('tool name: $name', ({ given, expect: wanted }) => {
  expect(toolNameMatcher(String(given['expected']))({ name: String(given['actual']) })).toBe(wanted['match'])
})

test.each(area('path_segments'))('path segments: $name', ({ given, expect: wanted }) => {
  const segments = pathSegments(String(given['path']))?.map((each) => (typeof each === 'number' ? `[${each}]` : each))
  expect(segments).toEqual(wanted['segments'])
})

test.each(area('path_extract'))('path: $name', ({ given, expect: wanted }) => {
  expect(compilePath(String(given['path'])).select(given['doc'])[0] ?? null).toEqual(wanted['value'])
})

test.each(area('extract_blocks', 'extract_first', 'extract_json'))(
  'JSON in text, $area: $name',
  ({ given, expect: wanted }) => {
    const block = wanted['first_block'] ?? { type: 'json', data: wanted['data'] }
    const blocks = ('blocks' in wanted ? (wanted['blocks'] ?? []) : [block]) as { type: string; data: unknown }[]
    const json = blocks.find(({ type }) => type === 'json')
    expect(findJson(given['text'])).toEqual(json ? { value: json.data } : undefined)
  },
)

// YAML is the loader's business: a sentence with a colon in an answer is not data.
const isJson = ({ given, expect: wanted }: ConformanceRow) =>
  !/ya?ml/.test(`${String(given['hint'])} ${String(given['filename'])} ${String(wanted['format'])}`)

test.each(conforming('parse', 'parse_value', 'parse_file', 'repair').filter(isJson))(
  'JSON, $area: $name',
  ({ given, expect: wanted }) => {
    const found = findJson(given['data'])
    if (wanted['error'] !== undefined) expect(found === undefined).toBe(wanted['error'])
    else expect(found).toEqual({ value: wanted['value'] })
  },
)

test.each(area('detect_format'))('is it JSON? $name', ({ given, expect: wanted }) => {
  expect(findJson(given['data']) !== undefined).toBe(String(wanted['format']).startsWith('json'))
})

test.each(area('trim_comments'))('comments: $name', ({ given, expect: wanted }) => {
  expect(findJson(given['text'])).toEqual({ value: JSON.parse(String(wanted['text'])) as unknown })
})

test.each(area('validator_reply'))('validator reply is an error: $name', ({ given, expect: wanted }) => {
  expect(() => parseVerdict(given['reply'])).toThrow(UnusableAnswer)
  expect(() => parseVerdict(given['reply'])).toThrow(`${String(wanted['message'])}: `)
})

test.each(conforming('agent_assert'))('agent assertion: $name', async ({ given, expect: wanted }) => {
  const judge = () => Promise.resolve(JSON.stringify({ passed: wanted['passed'] }))
  expect(await checkOne(given['assert'], { output: given['output'] }, { judge })).toMatchObject({
    passed: wanted['passed'],
  })
})

test.each(area('extract_output'))('output: $name', ({ given, expect: wanted }) => {
  const response = given['response'] as { completion?: { content?: unknown } }
  const reply = { content: response.completion?.content, tool_calls: toolCalls(response) }
  expect(outputOf(reply)).toEqual(wanted['output'])
})

test('the differences are the ones that are listed', async () => {
  for (const name of Object.keys(DIFFERENT)) expect(named(name), name).toBeDefined()
  for (const name of ['regex invalid', 'regex value not a string', 'type value not a string']) {
    expect(() => compileAssertions([named(name)?.given['assert']]), name).toThrow()
  }
  expect(await checkOne({ type: 'equals', value: 5 }, { output: '5' })).toMatchObject({ passed: true })
  expect(() => compileAssertions(['contains', { type: 'contains', value: 'a' }])).toThrow('value')
  expect(findJson(named('Missing closing brace')?.given['data'])).toBeUndefined()
  const unreachable = await checkOne(named('nonexistent validator')?.given['assert'])
  expect(unreachable).toMatchObject({ passed: false, error_kind: 'validator' })
})

function toolCalls(response: unknown): ToolCall[] {
  const { tools = [] } = (response ?? {}) as { tools?: { tool: string; arguments?: unknown; result?: unknown }[] }
  return tools.map(({ tool, arguments: args, result }) => ({ name: tool, args: args ?? {}, result }))
}
