import { expect, test } from 'vitest'
import type { Problem } from '../../errors.js'
import { expectedAssertion } from '../../model/expected-assertion.js'
import { checkAssertion, compileAssertions, parseSpec } from './compile.js'
import { assertionDefinitions } from './registry.js'

function refused(spec: unknown, field: string, message: string | RegExp, suggestion?: string) {
  const problems = problemsIn(spec)
  const problem = problems.find((each) => each.field === field)
  expect(problem, JSON.stringify({ spec, problems })).toBeDefined()
  expect(problem?.message).toMatch(message)
  expect(problem?.suggestion).toBe(suggestion)
}

function problemsIn(spec: unknown, warnings?: Problem[]): Problem[] {
  const checked = checkAssertion(spec, 'assert', warnings)
  return Array.isArray(checked) ? checked : []
}

test('examples are accepted', () => {
  for (const { type, example } of assertionDefinitions) expect(problemsIn(example), type).toEqual([])
})

test('a bare text is a type, a missing type is equals', () => {
  expect(parseSpec('awaiting_input')).toEqual({ type: 'awaiting_input' })
  expect(parseSpec({ value: 1 })).toEqual({ type: 'equals', value: 1 })
  expect(expectedAssertion({ a: 1 })).toEqual({ type: 'equals', value: { a: 1 } })
})

test('unknown types are refused with the near miss', () => {
  refused({ type: 'contians', value: 'x' }, 'assert.type', 'unknown assertion type: contians', 'contains')
  refused({ type: 'tool-called', name: 'x' }, 'assert.type', 'unknown assertion type', 'tool_called')
  refused('nonsense_here', 'assert.type', 'unknown assertion type: nonsense_here')
  refused({ type: '__proto__' }, 'assert.type', 'unknown assertion type')
  refused({ type: 5 }, 'assert.type', 'must be a string, found 5')
  refused(null, 'assert', 'must be an assertion')
  refused(['contains'], 'assert', 'must be an assertion')
})

test('common fields have their types', () => {
  refused({ type: 'contains', value: 'y', negate: 'false' }, 'assert.negate', 'must be true or false, found "false"')
  refused({ type: 'contains', value: 'y', message: 1 }, 'assert.message', 'must be a string')
  refused({ type: 'contains', value: 'y', label: null }, 'assert.label', 'must be a string')
  refused({ type: 'contains', value: 'y', weight: -1 }, 'assert.weight', 'at least 0')
  refused({ type: 'contains', value: 'y', weight: '1' }, 'assert.weight', 'at least 0')
  refused({ type: 'contains', value: 'y', path: 1 }, 'assert.path', 'must be a string')
})

test('a key that is not known is refused, with the near miss or with what is known', () => {
  refused({ type: 'contains', value: 'y', negat: true }, 'assert.negat', 'unknown field "negat" in contains', 'negate')
  refused({ type: 'contains', value: 'y', ignorecase: true }, 'assert.ignorecase', 'unknown field', 'ignore_case')
  refused({ type: 'tool_called', nam: 'y' }, 'assert.nam', 'unknown field', 'name')
  refused({ type: 'contains', value: 'y', constructor: 1 }, 'assert.constructor', 'it takes value, ignore_case')
  const times = { type: 'tool_called', name: 'a', times: { min: 1, comment: 'x', most: 2 } }
  refused(times, 'assert.times', 'has an unknown field "most"; it takes min, max, exact')
  const notes = { metadata: {}, comment: 'c', description: 'd', notes: 'n', $schema: 's', _a: 1, 'x-a': 1 }
  expect(problemsIn({ type: 'contains', value: 'y', ...notes })).toEqual([])
  expect(problemsIn({ type: 'tool_called', name: 'a', times: { min: 1, ...notes } })).toHaveLength(1)
  expect(problemsIn({ type: 'tool_called', name: 'a', times: { min: 1, comment: 'c' } })).toEqual([])
})

test('options, which others read, too, are a warning', () => {
  const warnings: Problem[] = []
  const judge = { type: 'agent', value: 'x', options: { connector: 'c', metadata: {}, criteria: 'x', comment: 'y' } }
  expect(problemsIn(judge, warnings)).toEqual([])
  expect(warnings).toEqual([
    {
      field: 'assert.options.criteria',
      message: 'unknown field "criteria" in options is ignored; known: connector, metadata',
    },
  ])
})

test('fields an assertion does not use are refused', () => {
  refused({ type: 'tool_called', name: 'x', path: '$.a' }, 'assert.path', 'tool_called does not use "path"')
  refused({ type: 'length', value: 5 }, 'assert.value', 'length does not use "value"; it takes min, max, exact')
})

test('missing and wrong fields', () => {
  refused({ type: 'contains' }, 'assert.value', 'is missing')
  refused('equals', 'assert.value', 'is missing')
  refused({ type: 'contains', value: '' }, 'assert.value', 'must not be empty')
  refused({ type: 'contains', value: 'x', ignore_case: 'yes' }, 'assert.ignore_case', 'must be boolean, found "yes"')
  refused({ type: 'json_path', value: 1 }, 'assert.path', 'is missing')
  refused({ type: 'json_path', path: '$.a' }, 'assert.value', 'exists')
  refused({ type: 'json_path', path: '$.a', value: 1, exists: false }, 'assert.exists', 'cannot be combined')
  refused({ type: 'type', value: 'numbr' }, 'assert.value', 'unknown type "numbr"', 'number')
  refused({ type: 'type', value: 1 }, 'assert.value', 'type assertion value must be a string')
  refused({ type: 'length' }, 'assert', 'needs min, max or exact')
  refused({ type: 'length', min: 3, max: 2 }, 'assert', 'can never pass')
  refused({ type: 'length', exact: 3, max: 2 }, 'assert', 'not both')
  refused({ type: 'words', min: 1.5 }, 'assert.min', 'must be')
  refused({ type: 'similar', value: 'x', threshold: 2 }, 'assert.threshold', 'must be at most 1, found 2')
  refused(
    { type: 'similar', value: 'x', method: 'cosine' },
    'assert.method',
    'must be "edit" or "tokens", found "cosine"',
  )
  refused({ type: 'tool_called' }, 'assert.name', 'is missing')
  refused({ type: 'tool_called', name: 'a', value: 'b' }, 'assert.name', 'not both')
  refused({ type: 'tool_called', name: 'a', args: {}, arguments: {} }, 'assert.args', 'not both')
  refused({ type: 'tool_called', name: 'a', times: { min: 3, max: 1 } }, 'assert.times', 'can never pass')
  refused({ type: 'tool_called', name: 'a', args: { x: { $regx: 'b' } } }, 'assert.args.x', 'unknown operator $regx')
  refused({ type: 'tool_called', value: { name: 'a', arg: {} } }, 'assert.value', 'did you mean "args"?')
  refused({ type: 'tool_result', result: 1 }, 'assert.tool', 'is missing')
  refused({ type: 'tool_result', tool: 'x', result: { id: 'regex:(' } }, 'assert.result.id', 'invalid regex pattern')
  refused({ type: 'tool_sequence', tools: [] }, 'assert.tools', 'always holds')
  refused({ type: 'tool_sequence', tools: ['a'], match: 'any' }, 'assert.match', '"strict" or "unordered"')
  refused(
    { type: 'tool_sequence', tools: [{ name: 'a', args: { x: { $gt: [] } } }] },
    'assert.tools[0].args.x',
    '$gt needs',
  )
  refused({ type: 'latency' }, 'assert.max_ms', 'give max_ms or max_secs')
  refused({ type: 'cost' }, 'assert.max_dollars', 'is missing')
  refused({ type: 'agent' }, 'assert.value', 'criteria')
  refused({ type: 'agent', value: 'x', votes: 0 }, 'assert.votes', 'must be')
  refused({ type: 'rubric', criterion: 'x', rubric: { 6: 'great' } }, 'assert.rubric.6', 'levels are 1 to 5')
  refused({ type: 'rubric', criterion: ' ' }, 'assert.criterion', 'is empty: write the criterion to judge by')
  for (const value of [' \n', [], {}, [' ', null], { tone: '' }])
    refused({ type: 'agent', value }, 'assert.value', 'is empty: write the criteria to judge by')
  const own = 'is empty: write the criteria to judge by, or leave it out if the validator knows its own'
  refused({ type: 'agent', use: 'agents:x', value: '' }, 'assert.value', own)
  const options = { metadata: { criteria: '' } }
  refused({ type: 'agent', use: 'agents:x', options }, 'assert.options.metadata.criteria', own)
  refused({ type: 'script' }, 'assert.script', 'give the function')
  refused({ type: 'script', script: 'agents.x' }, 'assert.script', 'must begin with')
  refused({ type: 'all', assertions: [] }, 'assert.assertions', 'must not be empty')
})

test('a number that must be whole', () => {
  refused({ type: 'agent', value: 'polite', votes: 2.5 }, 'assert.votes', 'must be a whole number, found 2.5')
})

test('patterns, paths and schemas are compiled at load, with the place of the mistake', () => {
  refused(
    { type: 'regex', value: '(unclosed' },
    'assert.value',
    'invalid regex pattern: missing closing ) at position 1',
  )
  refused({ type: 'regex', pattern: 'a(?=b)' }, 'assert.pattern', /look-around.*"engine": "js".*at position 2/)
  refused({ type: 'regex', value: 5 }, 'assert.value', 'regex pattern must be a string')
  refused({ type: 'regex', value: 'a', pattern: 'b' }, 'assert.value', 'not both')
  refused({ type: 'regex', value: 'a'.repeat(100_001) }, 'assert.value', 'at most 100000')
  refused(
    { type: 'json_path', path: '$.[', value: 1 },
    'assert.path',
    'invalid path "$.[": unexpected shorthand selector \'[\' at position 3',
  )
  refused({ type: 'contains', value: 'x', path: 'a[' }, 'assert.path', 'at position 3')
  refused({ type: 'schema', value: { type: 'objekt' } }, 'assert.value', 'not a usable JSON Schema')
  refused({ type: 'schema', value: { propertis: {} } }, 'assert.value', 'unknown keyword: "propertis"')
  refused({ type: 'schema', value: { pattern: '(?=x)' } }, 'assert.value', 'look-around')
  refused({ type: 'schema' }, 'assert.value', 'give the schema')
  refused({ type: 'stderr_contains', pattern: '[' }, 'assert.pattern', 'invalid regex pattern')
})

test('all mistakes are listed, those of members too', () => {
  const nested = {
    type: 'any',
    assertions: [{ type: 'contains' }, { type: 'all', assertions: ['x', { type: 'regex', value: '(' }] }],
  }
  expect(problemsIn(nested).map((problem) => problem.field)).toEqual([
    'assert.assertions[0].value',
    'assert.assertions[1].assertions[0].type',
    'assert.assertions[1].assertions[1].value',
  ])
  expect(() => compileAssertions([{ type: 'contains' }, 'x'], 'final_assertions')).toThrow(
    'final_assertions[0].value: is missing (and 1 more)',
  )
})

test('what was compiled when a case was loaded serves the very spec it was made from, and no copy of it', () => {
  const spec = { type: 'contains', value: 'a' }
  const ready = compileAssertions([spec])
  expect(compileAssertions([spec], 'assert', ready)[0]).toBe(ready[0])
  const copy = { ...spec, value: 'b' }
  const [compiled] = compileAssertions([copy], 'assert', ready)
  expect(compiled).not.toBe(ready[0])
  expect(compiled?.spec).toBe(copy)
})

test('names that nothing can have are refused: their negation would always pass', () => {
  const spaces = 'has white space around it'
  refused({ type: 'tool_not_called', name: 'pay ' }, 'assert.name', spaces)
  refused({ type: 'tool_called', value: ['find', ' pay'] }, 'assert.value[1]', spaces)
  refused({ type: 'tool_result', tool: ' ' }, 'assert.tool', spaces)
  refused({ type: 'tool_sequence', tools: ['pay\n'] }, 'assert.tools[0]', spaces)
  refused(
    { type: 'awaiting_input', reason: 'agent_declred', negate: true },
    'assert.reason',
    /must be "agent_declared"/,
  )
  expect(problemsIn({ type: 'tool_called', name: 'Create expense' })).toEqual([])
})
