// Synchronous calls: out of a script, through agents, into other scripts, and back.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ScriptHandlers } from '../../../src/model/script.js'
import type { OpenScripts } from '../../../src/scripts/host/runtime.js'
import {
  CONTEXT,
  HANDLERS,
  makeApp,
  open,
  runFound,
  type RunRecord,
  type RunSettings,
  type TestApp,
} from '../../support/script-app.js'

let app: TestApp
let scripts: OpenScripts | undefined

beforeEach(() => {
  app = makeApp({
    'src/tools.ts': `export function Add(a, b) { return a + b }
export function Who(ctx) { return [ctx.User.ID, ctx.ChatID, Authorized().user_id, ctx.memory.chat.Get('k'), ctx instanceof Object] }
export function Remember(ctx) { ctx.memory.chat.Set('k', 'from the hook'); return true }
export function Find(id) { return Process('models.user.Find', id) }
export function Deep(n) { return n === 0 ? 'bottom' : Process('scripts.expense.tools.Deep', n - 1) }
export function Boom() { inner() }
function inner() { throw new Exception('boom', 418) }
export function Forever() { while (true) {} }
export function ViaAgent() { return Process('agents.expense.Stream', null, 'hi') }
`,
  })
})

afterEach(async () => {
  await scripts?.close()
  app.remove()
})

async function run(body: string, settings: RunSettings = {}): Promise<RunRecord> {
  app.write({ 'src/chain_test.ts': body })
  scripts = open(app.root, settings)
  return runFound(scripts, 'scripts.expense.chain', settings)
}

/** An agent whose hook is a script: the handler calls back into the runtime, as the real ones do. */
function hookAgent(ref: string): ScriptHandlers {
  return {
    ...HANDLERS,
    async process(name, args, signal) {
      if (!name.endsWith('.Stream')) throw new Error(`unexpected ${name}`)
      const value = await scripts?.call({ ref, role: 'agent', args, context_args: [0], signal })
      return { content: value }
    },
  }
}

test('Process calls a function of a script, and an agent', async () => {
  const asked: unknown[] = []
  const { outcomes } = await run(
    `function TestA(t, ctx) {
  t.assert.Equal(Process('scripts.expense.tools.Add', 1, 2), 3)
  t.assert.Equal(Process('agents.expense.tools.Add', 'a', 'b'), 'ab')
  const response = Process('agents.expense.Stream', ctx, [{ role: 'user', content: 'hi' }], { connector: 'x' })
  t.assert.Equal(response.content, 'answer')
  t.assert.Equal(Process('agent.Call', { agent: 'expense', messages: 'hi' }).content, 'answer')
  t.assert.Equal(ctx.agent.Call('expense', 'hi').content, 'answer')
  t.assert.Equal(ctx.mcp.CallTool('server', 'tool', { a: 1 }).content, 'answer')
}`,
    {
      handlers: {
        ...HANDLERS,
        process: async (name, args) => {
          asked.push([name, args.length])
          return { content: 'answer' }
        },
      },
    },
  )
  expect(outcomes['TestA']).toMatchObject({ status: 'passed' })
  expect(asked).toEqual([
    ['agents.expense.Stream', 3],
    ['agent.Call', 1],
    ['agent.Call', 2],
    ['ctx.mcp.CallTool', 4],
  ])
})

test('ctx goes through the chain: the same person, conversation and memory', async () => {
  const { outcomes } = await run(
    `function TestA(t, ctx) {
  ctx.User.ID = 'someone'
  const who = Process('scripts.expense.tools.Who', ctx)
  t.assert.Equal(who.slice(0, 3), ['someone', ctx.ChatID, 'someone'])
  Process('agents.expense.Stream', ctx, 'hi')
  t.assert.Equal(ctx.memory.chat.Get('k'), 'from the hook')
  t.assert.Equal(Process('scripts.expense.tools.Who', ctx)[3], 'from the hook')
}`,
    { handlers: hookAgent('scripts.expense.tools.Remember') },
  )
  expect(outcomes['TestA']).toMatchObject({ status: 'passed' })
})

test('script → agent → hook script does not deadlock, however small the pool', async () => {
  const { outcomes } = await run(
    `function TestA(t, ctx) { t.assert.Equal(Process('agents.expense.Stream', 20).content, 'bottom') }`,
    { handlers: hookAgent('scripts.expense.tools.Deep'), poolSize: 1, timeoutMs: 20_000 },
  )
  expect(outcomes['TestA']).toMatchObject({ status: 'passed' })
})

test('many calls at once that each wait for others do not deadlock', async () => {
  scripts = open(app.root, { poolSize: 1, handlers: hookAgent('scripts.expense.tools.Deep') })
  const runtime = scripts
  const calls = Array.from({ length: 6 }, () =>
    runtime.call({ ref: 'scripts.expense.tools.Deep', role: 'agent', args: [3], signal: AbortSignal.timeout(30_000) }),
  )
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 6 }, () => 'bottom'))
})

test('the timeout covers the whole chain and ends all of it', async () => {
  const signals: AbortSignal[] = []
  const { outcomes, order } = await run(
    `function TestA(t, ctx) { Process('agents.expense.Stream', ctx) }
function TestB(t, ctx) { Process('scripts.expense.tools.Forever') }
function TestC(t) { t.assert.Equal(Process('scripts.expense.tools.Add', 1, 1), 2) }`,
    {
      timeoutMs: 1000,
      handlers: {
        ...HANDLERS,
        process: (_name, _args, signal) => {
          signals.push(signal)
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
        },
      },
    },
  )
  expect(order).toEqual(['TestA failed', 'TestB failed', 'TestC passed'])
  expect(outcomes['TestA']).toMatchObject({ error: 'timeout after 1s', error_kind: 'timeout' })
  expect(outcomes['TestB']).toMatchObject({ error: 'timeout after 1s', error_kind: 'timeout' })
  expect(signals.map((signal) => signal.aborted)).toEqual([true])
})

test('a stack through a nested call names both places, and the code survives', async () => {
  const { outcomes } = await run(`function TestA(t) {
  try {
    Process('scripts.expense.tools.Boom')
  } catch (error) {
    t.assert.Equal(error.code, 418)
    t.assert.Equal(error.message, 'boom')
    throw error
  }
}`)
  expect(outcomes['TestA']).toMatchObject({ status: 'failed', error: 'Exception: boom' })
  expect(outcomes['TestA']?.stack?.split('\n')).toEqual([
    'Exception: boom',
    expect.stringMatching(/^ {4}at inner \(.*\/tools\.ts:7:26\)$/) as string,
    expect.stringMatching(/^ {4}at Boom \(.*\/tools\.ts:6:26\)$/) as string,
    expect.stringMatching(/^ {4}at TestA \(.*\/chain_test\.ts:3:5\)$/) as string,
  ])
})

test('an unknown process is an error that names it and shows the mock', async () => {
  const { outcomes } = await run(`function TestA(t) { Process('models.user.Find', 1) }`)
  expect(outcomes['TestA']?.error).toBe(
    'Exception: process "models.user.Find" is not part of Viva (agents.*, agent.Call and scripts.* are); give it an answer in the test: t.mock("models.user.Find", (...args) => …)',
  )
})

test('mocks answer for this test only, and calls are kept', async () => {
  const { outcomes } = await run(`function TestA(t) {
  t.mock('models.user.Find', (id) => ({ id, name: 'Ann' }))
  t.mock('flows.*', 7)
  t.assert.Equal(Process('models.user.Find', 1).name, 'Ann')
  t.assert.Equal(Process('flows.a.b'), 7)
  t.assert.Equal(t.calls.map((call) => [call.process, call.args, call.result]), [
    ['models.user.Find', [1], { id: 1, name: 'Ann' }],
    ['flows.a.b', [], 7],
  ])
}
function TestB(t) { t.assert.Panic(() => Process('models.user.Find', 1)); t.assert.Len(t.calls, 0) }`)
  expect(outcomes['TestA']).toMatchObject({ status: 'passed' })
  expect(outcomes['TestB']).toMatchObject({ status: 'passed' })
})

test('a mock answers further down the chain too: in a script called by a script, behind an agent', async () => {
  const { outcomes } = await run(
    `function TestA(t, ctx) {
  t.mock('models.user.Find', (id) => ({ id, by: Process('scripts.expense.tools.Add', id, 1) }))
  t.assert.Equal(Process('scripts.expense.tools.Find', 4), { id: 4, by: 5 })
  t.assert.Equal(Process('agents.expense.Stream', 8).content, { id: 8, by: 9 })
  t.assert.Len(t.calls, 2)
  t.mock('models.user.Find', () => { throw new Exception('gone', 404) })
  t.assert.Panic(() => Process('scripts.expense.tools.Find', 1))
  t.mock('models.user.Find', async () => 1)
  try { Process('scripts.expense.tools.Find', 1) } catch (error) { t.assert.Match(error.message, 'returned a promise') }
}`,
    { handlers: hookAgent('scripts.expense.tools.Find') },
  )
  expect(outcomes['TestA']).toMatchObject({ status: 'passed' })
})

test('an error of an agent reaches the script as an Exception', async () => {
  const { outcomes } = await run(
    `function TestA(t) { try { Process('agents.expense.Stream'); t.fail('no error') } catch (error) { t.log(error.name, error.message) } }`,
    {
      handlers: {
        ...HANDLERS,
        process: async () => {
          throw new Error('model refused')
        },
      },
    },
  )
  expect(outcomes['TestA']).toMatchObject({ status: 'passed', logs: ['Exception model refused'] })
})

test('values keep their shape on the way', async () => {
  const { outcomes } = await run(
    `function TestA(t) {
  const sent = [undefined, null, NaN, 1n, new Date(5), new Map([[1, { a: 2 }]]), new Uint8Array([1, 2]), { nested: { list: [1, [2]] } }]
  const ring = { name: 'ring' }; ring.self = ring
  const back = Process('agents.expense.Stream', ...sent, ring, () => 1, new (class Point { x = 1 })())
  t.assert.Equal(back.args.slice(0, sent.length), sent)
  t.assert.True(back.args[8].self === back.args[8])
  t.assert.Equal(back.args[9], '[Function: anonymous]')
  t.assert.Equal(back.args[10], { x: 1 })
}`,
  )
  expect(outcomes['TestA']).toMatchObject({ status: 'passed' })
})

test('call: the value, exceptions, crashes and the end by signal', async () => {
  scripts = open(app.root)
  const runtime = scripts
  const call = (name: string, args: unknown[] = [], signal = new AbortController().signal): Promise<unknown> =>
    runtime.call({ ref: `scripts.expense.tools.${name}`, role: 'agent', args, context_args: [0], signal })
  app.write({
    'src/more.ts': `export function Exit() { process.exit(3) }
export async function Later() { console.log('one'); await new Promise((r) => setTimeout(r, 5)); return 'later' }
export async function Never() { await new Promise(() => {}) }
export function Say(ctx) { return ctx.Send('hello') }`,
  })
  expect(await call('Add', [1, 2])).toBe(3)
  await expect(call('Boom')).rejects.toMatchObject({
    name: 'ScriptError',
    kind: 'exception',
    message: 'boom',
    code: 418,
  })
  await expect(call('Boom')).rejects.toMatchObject({ scriptStack: expect.stringContaining('tools.ts:7:26') as string })
  await expect(call('Forever', [], AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'TimeoutError' })
  const more = (name: string, logs: string[] = [], sent: unknown[] = []): Promise<unknown> =>
    runtime.call({
      ref: `scripts.expense.more.${name}`,
      role: 'agent',
      args: [CONTEXT],
      context_args: [0],
      signal: new AbortController().signal,
      onLog: (line) => logs.push(line),
      onSend: (message) => sent.push(message),
    })
  await expect(more('Exit')).rejects.toMatchObject({
    kind: 'crashed',
    message: "the script's process exited before reporting (exit code 3)",
  })
  await expect(more('Never')).rejects.toThrow('the function waits for a promise that nothing can settle any more')
  const logs: string[] = []
  expect(await more('Later', logs)).toBe('later')
  expect(logs).toEqual(['one'])
  const sent: unknown[] = []
  expect(await more('Say', [], sent)).toBe('M1')
  expect(sent).toEqual([
    expect.objectContaining({
      action: 'send',
      message_id: 'M1',
      message: { type: 'text', props: { content: 'hello' } },
    }),
  ])
})

test('a call sees a fresh module each time, in a process that is used again', async () => {
  app.write({ 'src/state.ts': `let count = 0\nexport function Count() { return [++count, process.pid] }` })
  scripts = open(app.root, { poolSize: 1 })
  const pids = new Set<unknown>()
  for (let turn = 0; turn < 5; turn++) {
    const [count, pid] = (await scripts.call({
      ref: 'scripts.expense.state.Count',
      role: 'agent',
      args: [],
      signal: new AbortController().signal,
    })) as unknown[]
    expect(count).toBe(1)
    pids.add(pid)
  }
  expect(pids.size).toBe(1)
})

test('a script is what it was when it was first used, and an edit is for the next run', async () => {
  const before = {
    'src/edit.ts': `export function Value() { return 1 }`,
    'src/edit_test.ts': `function TestValue(t) { t.log(Value()) }`,
  }
  const after = {
    'src/edit.ts': `export function Value() { return 2 }`,
    'src/edit_test.ts': `function TestValue(t) { t.log('own', Value()) }`,
  }
  app.write(before)
  const logs = async (): Promise<string[] | undefined> =>
    (await runFound(scripts as OpenScripts, 'scripts.expense.edit')).outcomes['TestValue']?.logs
  const place = { ref: 'scripts.expense.edit.Value' }
  const call = (): Promise<unknown> | undefined =>
    scripts?.call({ ...place, role: 'agent', args: [], signal: new AbortController().signal })
  scripts = open(app.root)
  expect([await logs(), await call()]).toEqual([['1'], 1])
  app.write(after)
  expect([await logs(), await call()]).toEqual([['1'], 1])
  await scripts.close()
  scripts = open(app.root)
  expect([await logs(), await call()]).toEqual([['own 2'], 2])
  await scripts.close()
  scripts = open(app.root)
  await scripts.prepare([place])
  app.write(before)
  expect(await call()).toBe(2)
})
