// What clients see of the server: the list of tools, answers in time and to size, errors, resources, prompts.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRecord } from '../../src/base/record.js'
import { SCENARIOS } from '../../src/mcp/scenarios.js'
import { assertionDefinitions } from '../../src/pipeline/assert/registry.js'
import { writeFiles } from '../support/run-cli.js'
import { connect, ENDLESS, ONE_ITERATION, WAYS } from './support.js'

test('the list of tools is small, whole, and says what each does', async () => {
  const { client } = await connect('stdio')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['test_setup', 'test_run', 'test_inspect', 'test_cleanup', 'run_cases', 'get_result']),
  )
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(30_000)
  for (const { name, inputSchema, annotations, description } of tools) {
    expect(description, name).toMatch(/\w/)
    expect(description?.length, name).toBeLessThan(260)
    expect(inputSchema.type, name).toBe('object')
    expect(Object.keys(inputSchema), name).not.toEqual(expect.arrayContaining(['anyOf']))
    expect(Object.keys(inputSchema), name).not.toEqual(expect.arrayContaining(['oneOf']))
    expect(JSON.stringify(inputSchema), name).not.toContain('$ref')
    expect(inputSchema['additionalProperties'], name).toBe(false)
    expect(Object.values(annotations ?? {}).every((hint) => typeof hint === 'boolean')).toBe(true)
  }
  // What is listed takes what the tools take.
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020()
  const schemas = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]))
  for (const { steps } of SCENARIOS)
    for (const { tool, arguments: args } of steps({ workspace_id: 'w', task: 't' })) {
      const schema = schemas[tool]
      if (schema) expect(ajv.validate(schema, args), `${tool}: ${ajv.errorsText()}`).toBe(true)
    }
  // Clients assume that a tool changes and destroys things, unless it says otherwise.
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
  expect(hints['test_cleanup']).toEqual({ openWorldHint: false })
  expect(hints['test_setup']).toEqual({ destructiveHint: false, openWorldHint: false })
  for (const name of ['list_runs', 'explain_failure', 'compare_runs', 'test_inspect', 'validate_cases'])
    expect(hints[name], name).toEqual({ readOnlyHint: true, openWorldHint: false })
})

test('every assertion type is listed with its fields, scripted answers and retries in each tool that takes them', async () => {
  const { client } = await connect('stdio')
  const { tools } = await client.listTools()
  const fields = Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, inputSchema.properties as Record<string, Fields>]),
  )
  const field = (tool: string, name: string): Fields => fields[tool]?.[name] ?? {}
  const [, ...listed] = field('test_assert', 'assertions')['items'].anyOf as Fields[]
  const types = new Map(listed.flatMap((entry) => typesOf(entry).map((type) => [type, entry] as const)))
  const known = new Set(['actions', 'run', 'workspace', 'session', 'group'])
  const missing = assertionDefinitions.filter(({ on, type }) => known.has(on) && !types.has(type))
  const elsewhere = ['awaiting_input', 'contract', 'cost', 'injection', 'latency', 'refusal']
  expect(missing.map(({ type }) => type).toSorted()).toEqual(elsewhere)
  // Each takes the example of its own definition.
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: false })
  for (const { type, example } of assertionDefinitions)
    if (types.has(type)) expect([type, ajv.validate(types.get(type) ?? {}, example)]).toEqual([type, true])
  expect(types.get('hat_transition')).toMatchObject({ required: ['type', 'from', 'to'] })
  expect(types.get('event_count')?.['properties']).toMatchObject({ min: {}, max: {}, exact: {} })
  for (const name of ['test_run', 'test_record', 'test_evaluate', 'test_chaos', 'test_benchmark']) {
    const [, response] = field(name, 'mock_responses')['items'].anyOf as Fields[]
    expect(Object.keys(response?.['properties'] as object), name).toEqual(
      expect.arrayContaining(['output', 'hat', 'tool_calls', 'exit_code', 'delay_ms', 'error', 'files']),
    )
  }
  for (const name of ['test_run', 'test_record', 'test_evaluate'])
    expect(field(name, 'retry')['properties'], name).toMatchObject({ max_attempts: {}, backoff_ms: {}, retry_on: {} })
})

// oxlint-disable-next-line typescript/no-explicit-any
type Fields = Record<string, any>

function typesOf({ properties }: Fields): string[] {
  const { type } = properties as Fields
  return (type.enum as string[] | undefined) ?? [type.const as string]
}

test.each(WAYS)('a workspace is set up, run in, looked at and removed, over %s', async (way) => {
  const { call, client, temporary } = await connect(way)
  const made = await call('test_setup', { workspace_id: 'first', fixtures: { 'a.txt': 'hi' } })
  expect(made.value).toMatchObject({ workspace_id: 'first', created_files: ['a.txt'] })
  expect(made.value['workspace_path']).toContain(temporary)
  expect(JSON.parse(made.text)).toEqual(made.raw['structuredContent'])
  const run = await call('test_run', { workspace_id: 'first', ...ONE_ITERATION })
  expect(run.value).toMatchObject({ exit_code: 2, termination_reason: 'MaxIterations', iterations: 1 })
  expect(run.answer).toEqual({ status: 'complete', notice: expect.stringContaining('data') as string })
  const { resources } = await client.listResources()
  expect(resources).toMatchObject([{ uri: 'viva://workspaces/first/session.jsonl', mimeType: 'application/jsonl' }])
  const { contents } = await client.readResource({ uri: 'viva://workspaces/first/session.jsonl' })
  expect(contents).toMatchObject([{ text: expect.stringContaining('build.task') as string }])
  expect((await call('test_cleanup', { workspace_id: 'first' })).value).toMatchObject({ deleted: true })
  expect((await client.listResources()).resources).toEqual([])
})

test('objects and lists that arrive as JSON text are understood', async () => {
  const { call } = await connect('stdio')
  const made = await call('test_setup', { workspace_id: 'texts', fixtures: '{"a.txt": "{}"}' })
  expect(made.value['created_files']).toEqual(['a.txt'])
  const { mock_responses, ...rest } = ONE_ITERATION
  const run = await call('test_run', {
    workspace_id: 'texts',
    ...rest,
    mock_responses: JSON.stringify(mock_responses),
  })
  expect(run.value).toMatchObject({ exit_code: 2, mock_responses_consumed: 1 })
})

test('what is wrong is an error of the tool, with what to do about it', async () => {
  const { call, client } = await connect('stdio')
  const answers = [
    [await call('test_setupp'), /no tool called "test_setupp"; did you mean "test_setup"\?/],
    [await call('test_setup', { workspace: 'x' }), /workspace: unknown parameter.*did you mean "workspace_id"/s],
    [await call('test_setup', { workspace_id: '../x' }), /workspace_id must match/],
    [await call('test_run', { workspace_id: 'none', ...ONE_ITERATION }), /no workspace called "none"[^]*hint: /],
    [await call('get_result', { id: 'none' }), /no answer is kept under the id "none"[^]*hint: /],
  ] as const
  for (const [{ isError, text, raw }, pattern] of answers) {
    expect(text).toMatch(pattern)
    expect(isError).toBe(true)
    expect(raw['structuredContent']).toBeUndefined()
  }
  await expect(client.readResource({ uri: 'viva://workspaces/none/session.jsonl' })).rejects.toThrow(/no workspace/)
  await expect(client.readResource({ uri: 'viva://workspaces/..%2fx/session.jsonl' })).rejects.toThrow(/must match/)
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/no resource/)
  await expect(client.getPrompt({ name: 'basic' })).rejects.toThrow(/prompts: basic_mock_test/)
})

test('what is real is refused unless the server was started for it', async () => {
  const { call } = await connect('stdio')
  const workspace_id = 'real'
  const cli = { backend: 'custom', command: 'touch', args: ['called'] }
  const made = await call('test_setup', { workspace_id, config: { cli } })
  const cassette_name = 'c'
  await call('test_record', { workspace_id, cassette_name, ...ONE_ITERATION })
  const evaluations = [{ criterion: 'custom', target: 'output', custom_prompt: 'Good?' }]
  for (const [name, args] of [
    ['test_run', { workspace_id, task: 'x', backend: 'claude' }],
    ['test_run', { workspace_id, task: 'x' }],
    ['test_record', { workspace_id, cassette_name: 'd', task: 'x', backend: 'custom' }],
    ['test_replay', { workspace_id, cassette_name, task: 'other', allow_passthrough: true }],
    ['test_evaluate', { workspace_id, evaluations, judge_backend: 'claude' }],
    ['test_evaluate', { workspace_id, evaluations, judge_backend: 'custom' }],
    ['test_benchmark', { workspace_id, task: 'x', backend: 'claude', runs: 2 }],
    ['test_benchmark', { workspace_id, task: 'x', runs: 2 }],
    ['test_chaos', { workspace_id, task: 'x', backend: 'gemini' }],
    ['test_chaos', { workspace_id, task: 'x' }],
    ['test_evaluate', { workspace_id, evaluations, judge_backend: 'haiku' }],
  ] as const) {
    const { isError, text } = await call(name, args)
    expect(isError, name).toBe(true)
    expect(text, name).toContain('--allow-live')
  }
  expect(existsSync(join(made.value['workspace_path'] as string, 'called'))).toBe(false)
  // A hat may name a backend of its own; a scripted run refuses it in any case.
  const hats = { real: { triggers: ['task.start'], backend: { type: 'custom', command: 'touch', args: ['called'] } } }
  const own = await call('test_setup', { workspace_id: 'hats', config: { hats } })
  for (const name of ['test_run', 'test_benchmark', 'test_chaos'])
    expect((await call(name, { workspace_id: 'hats', ...ONE_ITERATION })).text, name).toContain('NOT_SCRIPTED')
  expect(existsSync(join(own.value['workspace_path'] as string, 'called'))).toBe(false)
  // Scripted and recorded answers are not real.
  await call('test_setup', { workspace_id: 'scripted' })
  const scripted = { workspace_id: 'scripted', task: 'x', mock_responses: ['LOOP_COMPLETE'] }
  expect((await call('test_benchmark', { ...scripted, runs: 2 })).value).toMatchObject({ succeeded: 2 })
  expect((await call('test_chaos', { ...scripted, faults: ['slow'], rate: 1, delay_ms: 1 })).isError).toBe(false)
})

test('a secret of the environment is in no answer', async () => {
  const secret = 'kq7-Zp2-secret-value-93'
  const { call, client } = await connect('stdio', { env: { SERVICE_API_KEY: secret } })
  const setup = await call('test_setup', { workspace_id: 'w' })
  writeFiles(String(setup.value['workspace_path']), { 'reports/junit.xml': `<a>${secret}</a>` })
  const output = `the key is ${secret} <event topic="build.task">${secret}</event>`
  const mock_responses = [{ output }]
  const answers = [
    await call('test_run', { workspace_id: 'w', ...ONE_ITERATION, mock_responses }),
    await call('test_inspect', { workspace_id: 'w' }),
    await call('test_inspect', { workspace_id: secret }),
    await call(secret),
    await client.readResource({ uri: 'viva://workspaces/w/session.jsonl' }),
    await client.readResource({ uri: 'viva://workspaces/w/reports/junit.xml' }),
  ]
  expect(JSON.stringify(answers)).toContain('the key is')
  expect(JSON.stringify(answers)).not.toContain(secret)
})

test('a flood of calls is survived', async () => {
  const { call } = await connect('stdio', { args: ['--answer-within', '1s'] })
  const ids = Array.from({ length: 300 }, (_, index) => index)
  const answers = await Promise.all(ids.map((id) => call('test_run', { workspace_id: `none${id}`, ...ONE_ITERATION })))
  expect(answers.filter(({ text }) => text.includes('no workspace called')).length).toBeGreaterThan(100)
  for (const { text } of answers) expect(text).toMatch(/no workspace called|calls are running/)
  expect((await call('list_runs')).value).toMatchObject({ total: 0 })
})

test('a long answer is shortened; all of it can be had page by page, and as a resource', async () => {
  const { call, client } = await connect('stdio')
  await call('test_setup', { workspace_id: 'long' })
  const output = `<event topic="build.task">${'ü'.repeat(60_000)}</event>`
  await call('test_run', { workspace_id: 'long', ...ONE_ITERATION, mock_responses: [{ output }] })
  const inspected = await call('test_inspect', { workspace_id: 'long' })
  expect(inspected.bytes).toBeLessThanOrEqual(20_000)
  const { id, resource, status } = inspected.answer
  expect({ status, resource }).toEqual({ status: 'shortened', resource: `viva://results/${id}` })
  expect(inspected.raw['content']).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: resource }))
  let text = ''
  for (let cursor: unknown = 0; cursor !== undefined;) {
    const page = await call('get_result', { id, cursor })
    expect(page.bytes).toBeLessThanOrEqual(20_000)
    expect(page.answer['status']).toBe('complete')
    text += page.value['text'] as string
    cursor = page.value['next_cursor']
  }
  const whole = JSON.parse(text) as unknown
  expect(isRecord(whole) && JSON.stringify(whole['records']).includes('ü'.repeat(60_000))).toBe(true)
  const { contents } = await client.readResource({ uri: resource as string })
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(whole)
})

test.each(WAYS)('a long run answers in time and can be waited for, with progress, over %s', async (way) => {
  const { call } = await connect(way, { args: ['--answer-within', '400ms'] })
  await call('test_setup', { workspace_id: 'slow' })
  const steps: number[] = []
  const first = await call(
    'test_run',
    {
      workspace_id: 'slow',
      ...ONE_ITERATION,
      max_iterations: 3,
      mock_responses: [
        { output: '<event topic="build.task">x</event>' },
        { output: '<event topic="build.done">x</event>', delay_ms: 2_000 },
        { output: 'LOOP_COMPLETE' },
      ],
    },
    { onprogress: ({ progress }) => steps.push(progress) },
  )
  expect(first.answer['status']).toBe('running')
  const { id } = first.answer
  let last = await call('get_result', { id })
  while (last.value['status'] === 'running') last = await call('get_result', { id })
  expect(last.value).toMatchObject({ status: 'done', tool: 'test_run', result: { iterations: 3 } })
  expect(steps.length).toBeGreaterThan(0)
  expect(steps).toEqual(steps.toSorted((a, b) => a - b))
})

test.each(WAYS)('a call that is cancelled ends what it started, over %s', async (way) => {
  const { call } = await connect(way)
  await call('test_setup', { workspace_id: 'off' })
  const controller = new AbortController()
  const cancelled = call('test_run', { workspace_id: 'off', ...ENDLESS }, { signal: controller.signal })
  await untilBusy(call, 'off')
  controller.abort()
  await expect(cancelled).rejects.toThrow()
  await untilFree(call, 'off')
})

test('a running call can be cancelled by its id', async () => {
  const { call } = await connect('stdio', { args: ['--answer-within', '200ms'] })
  await call('test_setup', { workspace_id: 'off' })
  const { answer } = await call('test_run', { workspace_id: 'off', ...ENDLESS })
  expect(answer['status']).toBe('running')
  expect((await call('get_result', { id: answer['id'] })).value['status']).toBe('running')
  expect((await call('get_result', { id: answer['id'], cancel: true })).value['status']).toBe('cancelled')
  await untilFree(call, 'off')
  const { value } = await call('get_result', { id: answer['id'] })
  expect(value).toMatchObject({ status: 'done', result: { termination_reason: 'Interrupted', exit_code: 130 } })
})

type Call = Awaited<ReturnType<typeof connect>>['call']

/** Two runs in one workspace exclude each other. */
async function untilBusy(call: Call, workspace_id: string): Promise<void> {
  while (!(await call('test_run', { workspace_id, ...ONE_ITERATION })).text.includes('WORKSPACE_BUSY'));
}

async function untilFree(call: Call, workspace_id: string): Promise<void> {
  while ((await call('test_run', { workspace_id, ...ONE_ITERATION })).isError);
}
