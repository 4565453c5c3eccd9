// The rows of the original that need a run, or the whole plan, to be checked; and that no row is left out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import type { TestCase } from '../src/model/case.js'
import { contextFor } from '../src/pipeline/plan/environment.js'
import { isSelected } from '../src/pipeline/plan/filter.js'
import { detectInput } from '../src/pipeline/sources/detect.js'
import { openText } from './support/case-files.js'
import { conformance, conformanceFile, conformanceRows, type ConformanceRow } from './support/conformance.js'
import { makeFolder, parseEvents, ROOT, viva, type Files } from './support/run-cli.js'

type Row = Record<string, unknown>
interface Identity {
  flags: { user?: string; team?: string } | null
  case: Partial<TestCase>
}

/** Rows of things that Viva does in another way, or has no use for; each is in docs/compatibility.md. */
const DIFFERENT: Record<string, string> = {
  'filter: skip filtered': 'a skipped case is not dropped: it is listed as skipped, with its reason',
  'start_event: start event': 'the fields are called agent_id and total_cases, as in the documents',
  detect_language: 'only JSON is looked for in answers; what language a code block is in decides nothing',
}

test.each(conformance<Identity, Row>('env_timeout', 'environment'))(
  'environment: $name',
  ({ given, expect: wanted }) => {
    const context = contextFor(given.flags ?? {}, { id: 'T', assertions: [], ...given.case }, 'chat', 'a')
    expect({
      ...context.authorized,
      ...context,
      client_type: context.client.type,
      client_ip: context.client.ip,
    }).toMatchObject(wanted)
  },
)

test.each(conformance<Identity, Row>('env_timeout', 'authorized'))('authorized: $name', ({ given, expect: wanted }) => {
  const { authorized } = contextFor(given.flags ?? {}, { id: 'T', assertions: [], ...given.case }, 'chat', 'a')
  expect(authorized).toMatchObject(wanted['authorized'] as Row)
})

test.each(conformanceRows('input_source', 'source_to_mode'))(
  'a source of the kind $name',
  ({ given, expect: wanted }) => {
    const written: Record<string, string> = { file: 'x.jsonl', message: 'hello', script: 'scripts.a.b' }
    const { kind } = detectInput(written[String(given['source'])] ?? '', {
      cwd: '.',
      exists: (path) => path === 'x.jsonl',
    })
    expect(kind.replace('_test', '')).toBe(wanted['mode'])
  },
)

test('filter: a skipped case stays in the plan, and is listed as skipped', () => {
  for (const { given } of conformanceRows('loader', 'filter')) {
    const cases = given['cases'] as TestCase[]
    expect(cases.filter((item) => isSelected({ testCase: item }, { tags: [] })).map(({ id }) => id)).toEqual(['A', 'B'])
  }
})

test.each(conformanceRows('report', 'message_case'))('$name', async ({ given, expect: wanted }) => {
  const run = await viva(['test', '-i', String(given['message']), '-n', 'builtin:echo', '--json'], {
    cwd: makeFolder(),
  })
  const result = parseEvents(run.stdout).find((event) => event.type === 'result')
  expect(result).toMatchObject(wanted['case'] as Row)
})

test('the start event says which agent and how many cases', async () => {
  const lines = Array.from({ length: 5 }, (_, index) => ({ id: `T${index}`, input: 'hi' }))
  const dir = makeFolder({ 'cases.jsonl': lines })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json'], { cwd: dir })
  for (const row of conformanceRows('report', 'start_event')) {
    expect(parseEvents(run.stdout)[0]).toMatchObject({
      type: 'start',
      agent_id: 'builtin:echo',
      total_cases: row.given['total'],
    })
  }
})

test.each(conformanceRows('loader', 'runner_suite'))('$name', async ({ given, expect: wanted }) => {
  const dir = makeFolder({ 'cases.jsonl': String(given['jsonl']) })
  const flags = [
    ...(given['fail_fast'] === true ? ['--fail-fast'] : []),
    ...(typeof given['parallel'] === 'number' ? ['--parallel', `${given['parallel']}`] : []),
  ]
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json', ...flags], { cwd: dir })
  const events = parseEvents(run.stdout)
  const summary = events.find((event) => event.type === 'summary')
  const ids = events.filter((event) => event.type === 'result').map((event) => event['id'])
  if (wanted['summary_failed'] !== undefined) expect(summary?.['failed']).toBe(wanted['summary_failed'])
  if (wanted['executed_ids'] !== undefined) expect(ids).toEqual(wanted['executed_ids'])
  if (wanted['summary_total'] !== undefined) expect(summary?.['total']).toBe(wanted['summary_total'])
})

test.each(conformanceRows('env_timeout', 'validate_options'))('options: $name', ({ given }) => {
  expect(detectInput(String(given['input']), { cwd: '.', exists: () => false }).kind).toBe(given['mode'])
})

test('YAML is read by its extension', async () => {
  const rows = ['parse', 'parse_value', 'parse_file'].flatMap((area) => conformanceRows('json_parse', area))
  const yaml = rows.filter(({ given }) => /ya?ml/.test(`${String(given['hint'])} ${String(given['filename'])}`))
  expect(yaml).toHaveLength(4)
  for (const { given, expect: wanted } of yaml) {
    const text = String(given['data'])
    const { problems } = await openText(text, 'cases.yaml')
    if (wanted['error'] === true) expect(problems.join()).toMatch(/YAML|flow/i)
    else expect(parse(text)).toEqual(wanted['value'])
  }
})

// One application whose agents do what the rows describe.

const tools = conformance<{ response: Row }, Row>('report', 'trace')
const mockOf = (responses: object[]): string => JSON.stringify(responses)
const packageOf = (more: object = {}): string => JSON.stringify({ name: 'x', connector: 'mock', ...more })
const NEXT = `
function Next(ctx, payload) {
  const asked = payload.messages[payload.messages.length - 1].content
  const tools = payload.tools || []
  if (asked === 'verify_payload') {
    const whole = payload.completion.content === 'Test completion content' && payload.completion.usage.total_tokens === 30
      && payload.messages.length > 0 && tools[0].server === 'srv' && tools[0].tool === 'one'
    return { data: { validation: whole ? 'success' : JSON.stringify(payload) } }
  }
  if (asked === 'verify_tools') {
    const failed = tools.filter((tool) => tool.error).length
    return { data: { total_tools: tools.length, successful: tools.length - failed, failed } }
  }
  if (payload.completion.content.includes('delegate')) {
    return { delegate: { agent_id: 'tests.hook-echo', messages: [{ role: 'user', content: 'over to you' }] } }
  }
  return null
}`
const SERVER = JSON.stringify({ transport: 'process', tools: { one: 'scripts.tools.One', two: 'scripts.tools.Two' } })
const ECHO_SERVER = JSON.stringify({
  transport: 'process',
  tools: { ping: 'scripts.tools.Ping', status: 'scripts.tools.Status' },
})
const call = (name: string, id: string, args: object = {}): object => ({ name, id, args })

const APP: Files = {
  'app.yao': '{}',
  'assistants/tests/hook-next/package.yao': packageOf({ mcp: { servers: ['srv'], options: { tool_loop: false } } }),
  'assistants/tests/hook-next/prompts.yml': '- { role: system, content: System message }',
  'assistants/tests/hook-next/mcps/srv.mcp.yao': SERVER,
  'assistants/tests/hook-next/src/tools.ts':
    'export function One() { return { value: 42 } }\nexport function Two() { throw new Error("Tool execution failed") }',
  'assistants/tests/hook-next/src/index.ts': NEXT,
  'assistants/tests/hook-next/mock.json': mockOf([
    {
      trigger_pattern: 'verify_payload',
      output: 'Test completion content',
      tool_calls: [call('srv__one', 'call_123')],
      usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
    },
    {
      trigger_pattern: 'verify_tools',
      output: 'Test completion',
      tool_calls: [call('srv__one', 'call_1'), call('srv__two', 'call_2')],
    },
    { trigger_pattern: 'conditional_delegate', output: 'Please delegate this to another agent' },
  ]),
  'assistants/tests/hook-echo/package.yao': packageOf(),
  'assistants/tests/hook-echo/prompts.yml': '- { role: system, content: Echo }',
  'assistants/tests/hook-echo/mock.json': mockOf([
    { trigger_pattern: 'over to you', output: 'tests.hook-echo answers' },
  ]),
  'assistants/tests/hook-prompt-preset/package.yao': JSON.stringify({ name: 'preset', connector: 'seen' }),
  'assistants/tests/hook-prompt-preset/prompts.yml': '- { role: system, content: task mode }',
  'assistants/tests/hook-prompt-preset/prompts/chat/prompts.yml': '- { role: system, content: You are in chat mode }',
  'assistants/tests/hook-prompt-preset/src/index.ts': `function Create() { return ${JSON.stringify({ prompt_preset: 'chat.prompts' })} }`,
  'connectors/seen.conn.yao': JSON.stringify({ type: 'mock', options: { script: 'scripts.seen.First' } }),
  'scripts/seen.ts': 'export function First({ messages }) { return { output: messages[0].content } }',
  'assistants/tests/trace/package.yao': packageOf({ mcp: { servers: ['echo'], options: { tool_loop: false } } }),
  'assistants/tests/trace/prompts.yml': '- { role: system, content: Trace }',
  'assistants/tests/trace/mcps/echo.mcp.yao': ECHO_SERVER,
  'assistants/tests/trace/src/tools.ts':
    'export function Ping() { return { p: 2 } }\nexport function Status() { return { s: 1 } }',
  'assistants/tests/trace/mock.json': mockOf([
    { output: '', tool_calls: [call('echo__ping', 'c2', { n: 2 }), call('echo__status', 'c1')] },
  ]),
  'assistants/tests/bare/package.yao': '{"name": "x"}',
  'assistants/tests/validator-agent/package.yao': packageOf(),
  'assistants/tests/validator-agent/prompts.yml': '- { role: system, content: Judge }',
  'assistants/tests/validator-agent/mock.json': mockOf([
    { trigger_pattern: "I don't know", output: { passed: false, reason: 'says nothing' } },
    { output: { passed: true, reason: 'fine' } },
  ]),
  'assistants/tests/caller/package.yao': '{"name": "caller"}',
  'assistants/tests/caller/src/calls.ts': '',
  'assistants/a/package.yao': packageOf(),
  'assistants/a/prompts.yml': '- { role: system, content: A }',
  'assistants/a/mock.json': mockOf([{ output: 'hello from agent' }]),
  'assistants/b/package.yao': '{"name": "b"}',
}

async function run(agent: string, texts: string[]): Promise<Array<Row & { type: string }>> {
  const dir = makeFolder({ ...APP, 'cases.jsonl': texts.map((input) => ({ id: input, input })) })
  const { stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '--json', '-o', 'out.jsonl'], {
    cwd: dir,
  })
  const results = parseEvents(stdout).filter((event) => event.type === 'result')
  if (results.length === 0) throw new Error(stderr)
  return results
}

test('the Next hook gets messages, completion and tools, and may answer or delegate', async () => {
  const rows = conformance<{ payload: { messages: Array<{ content: string }> } }, Row>('agent_hooks', 'next_hook_run')
  const results = await run(
    'tests.hook-next',
    rows.map(({ given }) => given.payload.messages.at(-1)?.content ?? ''),
  )
  const shown = rows.map(({ name }, index) => [name, results[index]?.['output']])
  expect(shown).toEqual(
    rows.map(({ name, expect: wanted }) => [
      name,
      wanted['data'] ?? `${String((wanted['delegate'] as Row)['agent_id'])} answers`,
    ]),
  )
})

test('a preset named by the Create hook replaces the prompts', async () => {
  const [row] = conformanceRows('prompts', 'prompt_preset')
  const [result] = await run('tests.hook-prompt-preset', ['hi'])
  expect(result?.['output']).toContain(row?.expect['first_prompt_contains'])
})

test('no prompts, no tools and no hooks: no model is called, and no answer is no answer', async () => {
  expect(conformanceRows('agent_hooks', 'stream')).toHaveLength(1)
  const [result] = await run('tests.bare', ['hi'])
  expect(result).toMatchObject({ status: 'failed', error: 'agent error: the agent gave no answer: null' })
})

test('tool calls keep the order of the calls and get their results by id', async () => {
  const [result] = await run('tests.trace', ['hi'])
  for (const { expect: wanted } of tools) {
    const ours = ((result?.['tool_calls'] ?? []) as Row[]).map(({ id, server, name, args, result: got }) => ({
      id,
      server,
      tool: String(name).replace('echo__', ''),
      arguments: args,
      result: got,
    }))
    expect(ours).toEqual(wanted['tool_calls'])
  }
})

test('a script calls agents, and has agents judge', async () => {
  const judged = conformance<Row, { failed: boolean }>('agent_assert', 't_assert_agent')
  const body = judged
    .map(
      ({ given }, index) =>
        `function TestJudge${index}(t) { t.assert.Agent(${JSON.stringify(given['response'])}, ${JSON.stringify(given['agent'])}, ${JSON.stringify(given['options'])}) }`,
    )
    .join('\n')
  const called = conformanceRows('agent_hooks', 'agent_call_result')
  const calls = called
    .map(({ expect: wanted }, index) => {
      const agent = index === 0 ? 'a' : 'b'
      const expected = JSON.stringify({ ...wanted, agent_id: agent })
      return `function TestCall${index}(t, ctx) {
        const { agent_id, content, error } = ctx.agent.Call('${agent}', 'hi')
        t.assert.Equal({ agent_id, content, error }, ${expected})
      }`
    })
    .join('\n')
  const dir = makeFolder({ ...APP, 'assistants/tests/caller/src/calls_test.ts': `${body}\n${calls}` })
  const { stdout, stderr } = await viva(['test', '-i', 'scripts.tests.caller.calls', '--json'], { cwd: dir })
  const results = parseEvents(stdout).filter((event) => event.type === 'result')
  expect(
    results.map((result) => [result['name'], result['status'], result['error']]),
    stderr,
  ).toEqual([
    ...judged.map(({ expect: { failed } }, index) => [
      `TestJudge${index}`,
      failed ? 'failed' : 'passed',
      failed ? 'assertion failed: says nothing' : undefined,
    ]),
    ...called.map((_, index) => [`TestCall${index}`, 'passed', undefined]),
  ])
})

// Nothing is left out.

test('every area is named by a test, or by the list of differences', () => {
  const sources = [...listTests(join(ROOT, 'src')), ...listTests(join(ROOT, 'test'))].map((path) =>
    readFileSync(path, 'utf8'),
  )
  const text = sources.filter((source) => source.includes('conformance')).join('\n')
  const areas = new Set(allRows().map(({ area }) => area))
  // A name as a separate string, or as a key of a table of checks.
  const unseen = [...areas].filter(
    (area) => !new RegExp(`['"\`]${area}['"\`]|^ +${area}: \\(`, 'm').test(text) && !(area in DIFFERENT),
  )
  expect(unseen).toEqual([])
})

function allRows(): ConformanceRow[] {
  const files = readdirSync(join(ROOT, 'test/fixtures/conformance'))
  return files.flatMap((file) => conformanceFile(file.replace('.jsonl', '')))
}

function listTests(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(dir, name))
}
