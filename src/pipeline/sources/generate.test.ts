// Generators: what they receive, what may come back, what is refused.
import { expect, test } from 'vitest'
import { failure } from '../../../test/support/agent-request.js'
import { conformance } from '../../../test/support/conformance.js'
import { scriptedHelper } from '../../../test/support/scripted-conversation.js'
import { AgentError, UserError } from '../../errors.js'
import { countWarnings, generateCases, generatorData, type GenerateRequest } from './generate.js'

type Row = Record<string, unknown>

const { signal } = new AbortController()
const target = { id: 'assistants.expense', description: 'Expense assistant', tools: ['create_expense'] }
const one = { id: 'G001', input: 'x' }

function request(answer: unknown, over: Partial<GenerateRequest> = {}): GenerateRequest {
  return { use: 'agents:workers.gen', params: {}, target, ask: scriptedHelper([answer]), signal, ...over }
}

test('the generator is told about its target and every query value', async () => {
  const ask = scriptedHelper([{ cases: [one] }])
  const params = { count: 10, focus: 'edge-cases', complexity: 'medium', lang: 'zh', strict: true }
  expect(await generateCases(request(undefined, { ask, params }))).toEqual([one])
  expect(ask.calls[0]).toMatchObject({
    role: 'generator',
    use: 'agents:workers.gen',
    data: {
      target_agent: 'assistants.expense',
      target_description: 'Expense assistant',
      target_tools: ['create_expense'],
      ...params,
    },
  })
})

test('a query value cannot pretend to be the target', () => {
  expect(generatorData({ params: { target_agent: 'other' }, target })).toMatchObject({
    target_agent: 'assistants.expense',
  })
})

test.each(['ten', 0, -1, 1.5])('a count of %s is refused before anything is asked', async (count) => {
  const ask = scriptedHelper([])
  const error = await failure(generateCases(request(undefined, { ask, params: { count } })))
  expect(error).toMatchObject({ code: 'BAD_GENERATOR_COUNT' })
  expect(ask.calls).toHaveLength(0)
})

test('another number of cases than asked for is said', () => {
  const use = 'agents:workers.gen'
  expect(countWarnings({ use, params: { count: 10 } }, [one])).toEqual([`${use}: asked for 10 cases, got 1`])
  expect(countWarnings({ use, params: { count: 1 } }, [one, one])).toEqual([`${use}: asked for 1 case, got 2`])
  expect(countWarnings({ use, params: { count: 1 } }, [one])).toEqual([])
  expect(countWarnings({ use, params: {} }, [one])).toEqual([])
})

test('an unusable answer is the generator’s error with the form that is wanted', async () => {
  const error = await failure(generateCases(request('I would rather not.')))
  expect(error).toBeInstanceOf(UserError)
  expect(error).toMatchObject({ code: 'GENERATOR_FAILED', hint: expect.stringContaining('"cases"') as string })
  expect(String(error)).toContain('I would rather not.')
})

test('a generator that cannot be reached says why and what to do', async () => {
  const down = new AgentError({ code: 'auth', message: 'no key', hint: 'set KEY' })
  expect(await failure(generateCases(request(down)))).toMatchObject({
    message: 'generator error: no key',
    hint: 'set KEY',
  })
})

test('cases that are wrong are handed on to be reported, not dropped', async () => {
  expect(await generateCases(request([one, { input: 'no id' }]))).toHaveLength(2)
})

test.each<[string, Record<string, unknown>]>([
  ['cases[0].before', { before: 'scripts:x.y' }],
  ['cases[0].workspace', { workspace: {} }],
  ['cases[0].assert.type', { assert: { type: 'script', script: 'Check' } }],
  ['cases[0].assertions[0].use', { assertions: [{ type: 'agent', use: 'exec:rm -rf x' }] }],
  ['cases[0].simulator.use', { simulator: { use: 'scripts:evil.fn' } }],
  ['cases[0].attachments[0].source', { attachments: [{ type: 'file', source: 'file:///etc/passwd' }] }],
  [
    'cases[0].input.content[0].url',
    { input: { role: 'user', content: [{ type: 'image', url: 'http://10.0.0.1/x' }] } },
  ],
  ['cases[0].testing.tools.f.script', { testing: { tools: { f: { script: 'scripts:a.b' } } } }],
])('a model may not write %s', async (field, extra) => {
  const written = { ...one, ...extra }
  const error = await failure(generateCases(request([written])))
  expect(error).toMatchObject({ code: 'GENERATED_ACTIONS' })
  expect((error as UserError).problems.map((problem) => problem.field)).toContain(field)
  expect(await generateCases(request([written], { allowActions: true }))).toEqual([written])
  expect(await generateCases(request([written], { use: 'scripts:mine.generate' }))).toEqual([written])
})

// Deliberate difference: the original sends {id, description} as target_agent and other values under "extra"; the
// documents name target_agent, target_description, target_tools and the values themselves.
for (const row of conformance<Row, Row>('generator', 'generator_request')) {
  test(`conformance: ${row.name}`, () => {
    const given = row.given as { target: { id: string; description?: string }; params: Record<string, unknown> }
    const content = row.expect['content_json'] as Record<string, unknown>
    const { target_agent: _target, extra, ...plain } = content
    expect(generatorData(given)).toEqual({
      target_agent: given.target.id,
      ...(given.target.description === undefined ? {} : { target_description: given.target.description }),
      target_tools: [],
      ...plain,
      ...(extra as object | undefined),
    })
  })
}
