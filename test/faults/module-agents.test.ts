// Module agents that loop, crash, exit, eat memory or ignore their abort: the case that does it fails, no other one does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aliveIn } from '../support/processes.js'
import { makeFolder, startViva, viva, type CliRun } from '../support/run-cli.js'
import { checkRun, linesOf, markedBy, until, type RunFile } from './support.js'

const AGENT = `
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
const note = (text) => appendFileSync('calls.log', text + '\\n')
// All that run at once have begun; in a later process that is so from the start.
const together = async (count) => { while (readFileSync('calls.log', 'utf8').split('\\n').length <= count) await delay(1) }
export async function run(messages, ctx, { signal }) {
  const text = messages.at(-1).content
  const [what, argument] = text.split(' ')
  note(text)
  console.log('heard ' + text)
  switch (what) {
    case 'loop': await together(Number(argument ?? 1)); for (;;);
    case 'regex': return String(/^(a+)+$/.test('a'.repeat(40) + '!'))
    case 'exit': await together(Number(argument ?? 1)); process.exit(0)
    case 'abort': process.abort()
    case 'kill': process.kill(process.pid, 'SIGKILL'); await delay(60_000)
    case 'memory': { const all = []; for (;;) all.push(new Array(1_000_000).fill(argument)) }
    case 'throw-later': setTimeout(() => { throw new Error('thrown later') }, 1); await delay(50); return 'right'
    case 'wait': await delay(Number(argument)); return { content: 'right', usage: { input_tokens: 1, output_tokens: 1 }, cost_dollars: 1 }
    case 'ignore': setInterval(() => note('still here'), 50); return new Promise(() => {})
    case 'listen': return new Promise((_, reject) => signal.addEventListener('abort', () => { note('told: ' + signal.reason.message); reject(signal.reason) }))
    case 'stay': setInterval(() => {}, 1000); process.on('exit', () => { for (;;); }); return 'right'
    case 'pid': return String(process.pid)
  }
  return 'right'
}
const turns = new Map()
export async function talk(messages, ctx) {
  const text = messages.at(-1).content
  const count = (turns.get(ctx.chat_id) ?? 0) + 1
  turns.set(ctx.chat_id, count)
  note(text)
  if (text === 'exit') { await together(4); process.exit(1) }
  if (text === 'wait') await delay(100)
  return { content: 'turn ' + count, cost_dollars: 1 }
}
`

interface Tried extends CliRun, RunFile {
  calls: string[]
}

async function tryRun(cases: object[], args: string[] = [], env = {}, name = 'run'): Promise<Tried> {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
  const all = ['test', '-i', 'cases.jsonl', '-n', `./agent.mjs#${name}`, '-o', 'o.jsonl', ...args]
  const run = await viva(all, { cwd, env })
  return { ...run, ...checkRun(join(cwd, 'o.jsonl')), calls: linesOf(join(cwd, 'calls.log')) }
}

const RIGHT = { type: 'equals', value: 'right' }
const ofCase = ({ results }: Tried, id: string) => results.find((result) => result.id === id)

test.for([
  ['loop', '500ms', 'timeout', /^timeout after 500ms$/],
  ['regex', '500ms', 'timeout', /^timeout after 500ms$/],
  ['exit', '5m', 'crashed', /the agent's process exited with code 0/],
  ['abort', '5m', 'crashed', /the agent's process was killed by SIGABRT/],
  ['kill', '5m', 'crashed', /the agent's process was killed by SIGKILL/],
  ['memory', '5m', 'crashed', /the agent's process ran out of memory after 1 answered call: FATAL ERROR/],
] as const)('%s ends that case alone', async ([what, timeout, kind, error]) => {
  const env = { NODE_OPTIONS: '--max-old-space-size=100' }
  const run = await tryRun(
    [
      { id: 'before', input: 'fine', assert: RIGHT },
      { id: 'bad', input: what, timeout, assert: RIGHT },
      { id: 'after', input: 'fine', assert: RIGHT },
    ],
    [],
    env,
  )
  expect(run.code).toBe(1)
  expect(run.results.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
  expect(ofCase(run, 'bad')).toMatchObject({ error_kind: kind, error: expect.stringMatching(error) })
  expect(ofCase(run, 'bad')?.logs?.[0]).toBe(`heard ${what}`)
  // Alone when it happened: nothing was run again.
  expect(run.calls).toHaveLength(3)
  expect(run.results.every((result) => result.reruns === undefined)).toBe(true)
})

test('a chat id of the context file changes nothing about that', async () => {
  const context = join(makeFolder({ 'ctx.json': { chat_id: 'c-42' } }), 'ctx.json')
  const cases = [
    { id: 'bad', input: 'exit 2', assert: RIGHT },
    { id: 'good', input: 'wait 300', assert: RIGHT },
  ]
  const run = await tryRun(cases, ['--parallel', '2', '--ctx', context])
  expect(ofCase(run, 'bad')).toMatchObject({ status: 'failed', error_kind: 'crashed' })
  expect(ofCase(run, 'good')).toMatchObject({ status: 'passed', reruns: [{}] })
})

test.for([
  ['loop 4', 'timeout'],
  ['exit 4', 'crashed'],
] as const)('%s at once: each is run again alone, and only what fails then is blamed', async ([bad, kind]) => {
  const run = await tryRun(
    [
      { id: 'bad', input: bad, timeout: '3s', assert: RIGHT },
      // Its deadline passes while the process hangs, and starts over.
      { id: 'slow', input: 'wait 600', timeout: '3s', assert: RIGHT },
      { id: 'slower', input: 'wait 700', assert: RIGHT },
      { id: 'wrong', input: 'wait 750', assert: { type: 'equals', value: 'wrong' } },
      { id: 'later', input: 'fine', assert: RIGHT },
    ],
    ['--parallel', '4'],
  )
  expect(run.code).toBe(1)
  expect(ofCase(run, 'bad')).toMatchObject({ status: 'failed', error_kind: kind })
  expect(ofCase(run, 'wrong')).toMatchObject({ status: 'failed', error_kind: 'assertion' })
  for (const id of ['slow', 'slower', 'later']) expect(ofCase(run, id), id).toMatchObject({ status: 'passed' })
  for (const id of ['bad', 'slow', 'slower', 'wrong']) {
    expect(ofCase(run, id)?.reruns, id).toMatchObject([{ reason: expect.stringContaining('with 4 calls in flight') }])
    expect(ofCase(run, id), id).not.toHaveProperty('flaky')
  }
  expect(ofCase(run, 'later')).not.toHaveProperty('reruns')
  expect(run.calls.filter((call) => call === bad)).toHaveLength(2)
  expect(run.summary).not.toHaveProperty('flaky')
  expect(run.stdout).toMatch(/\[slow\][\s\S]*run again alone: the agent's process (?:stopped|exited)/)
})

test('the whole conversation is run again, its turns in one process, and what the lost one cost counts', async () => {
  const turns = (...inputs: string[]) => inputs.map((input) => ({ input }))
  const last = { type: 'equals', value: 'turn 3' }
  const run = await tryRun(
    [
      { id: 'bad', turns: turns('exit') },
      { id: 'a', turns: [...turns('fine', 'wait'), { input: 'fine', assert: last }] },
      { id: 'b', turns: [...turns('wait', 'fine'), { input: 'wait', assert: last }] },
    ],
    ['--parallel', '3'],
    {},
    'talk',
  )
  expect(ofCase(run, 'bad')).toMatchObject({ status: 'failed', error_kind: 'crashed' })
  for (const id of ['a', 'b']) {
    const { status, reruns, cost_dollars: cost } = ofCase(run, id) ?? {}
    expect({ id, status, reruns: reruns?.length }).toEqual({ id, status: 'passed', reruns: 1 })
    expect(cost).toBe(3 + (reruns?.[0]?.cost_dollars ?? 0))
  }
  expect(ofCase(run, 'a')?.reruns?.[0]?.cost_dollars).toBe(1)
})

test('abort: the agent is told, with the reason; one that listens keeps its process', async () => {
  const run = await tryRun([
    { id: 'first', input: 'pid' },
    { id: 'listens', input: 'listen', timeout: '300ms' },
    { id: 'second', input: 'pid' },
  ])
  expect(ofCase(run, 'listens')).toMatchObject({ error: 'timeout after 300ms', error_kind: 'timeout' })
  expect(run.calls).toContain('told: timeout after 300ms')
  expect(ofCase(run, 'second')?.output).toBe(ofCase(run, 'first')?.output)
})

test('an ignored abort: the work ends all the same, and nothing else with it', async () => {
  const run = await tryRun([
    { id: 'ignores', input: 'ignore', timeout: '300ms' },
    { id: 'slow', input: 'wait 6000', assert: RIGHT },
    { id: 'after', input: 'pid' },
    { id: 'end', input: 'wait 300', assert: RIGHT },
  ])
  expect(ofCase(run, 'ignores')).toMatchObject({ error: 'timeout after 300ms', error_kind: 'timeout' })
  expect(ofCase(run, 'slow')).toMatchObject({ status: 'passed' })
  expect(ofCase(run, 'slow')).not.toHaveProperty('reruns')
  expect(run.calls.lastIndexOf('still here')).toBeLessThan(run.calls.indexOf('wait 300'))
})

test('exit handlers that never end, timers that keep it alive: the run ends, with its own exit code', async () => {
  const run = await tryRun([{ id: 'a', input: 'stay', assert: RIGHT }])
  expect(run.code).toBe(0)
  expect(markedBy(undefined)).toEqual([])
})

test('Ctrl-C ends a run whose agent loops; nothing of it is left', async () => {
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'a', input: 'loop' },
      { id: 'b', input: 'fine' },
    ],
  })
  const started = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl'], { cwd })
  await until(() => linesOf(join(cwd, 'calls.log')).length === 1, 'the agent loops')
  const { pid } = started.process
  started.process.kill('SIGINT')
  expect((await started.done).code).toBe(130)
  expect(checkRun(join(cwd, 'o.jsonl')).summary).toMatchObject({ interrupted: true, not_run: 2 })
  expect(markedBy(pid)).toEqual([])
})

test('Ctrl-C while the module is loading without end', async () => {
  const cwd = makeFolder({
    'agent.mjs': `console.error('loading'); for (;;);`,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  })
  const started = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl'], { cwd })
  const { pid } = started.process
  await until(() => markedBy(pid).some((command) => command.includes('module-child')), 'the process is started')
  started.process.kill('SIGINT')
  expect((await started.done).code).toBe(130)
  await until(() => markedBy(pid).length === 0, 'nothing is left')
})

test.for([
  ['loops', '1s', 'for (;;);', /could not be loaded: it did not finish loading in time/],
  ['exits', '60s', 'process.exit(0)', /could not be loaded: its process exited with code 0/],
  ['throws', '60s', 'throw new Error("no database")', /could not be loaded: no database/],
] as const)(
  'a module that %s while it is loaded is an error before the first case',
  async ([, timeout, code, message]) => {
    const cwd = makeFolder({
      'agent.mjs': `${code}\nexport const run = () => 'x'`,
      'cases.jsonl': [{ id: 'a', input: 'x' }],
    })
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--timeout', timeout]
    const run = await viva(args, { cwd })
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
  },
)

test('kill -9 of Viva ends its agents', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'a', input: 'loop' }] })
  const started = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl'], { cwd })
  await until(() => linesOf(join(cwd, 'calls.log')).length === 1, 'the agent loops')
  const { pid } = started.process
  started.process.kill('SIGKILL')
  await started.done
  await until(() => markedBy(pid).length === 0, 'nothing is left')
})

test.runIf(process.platform === 'linux')(
  'what an agent starts with another environment ends with the run',
  async () => {
    const agent = `
import { spawn } from 'node:child_process'
export async function run(messages) {
  spawn('sleep', ['8648107'], { detached: true, stdio: 'ignore', env: {} }).unref()
  if (messages.at(-1).content === 'hang') await new Promise(() => setInterval(() => {}, 1000))
  return 'right'
}`
    const cases = [
      { id: 'a', input: 'x' },
      { id: 'b', input: 'hang', timeout: '1s' },
    ].map((one) => ({ ...one, assert: { type: 'equals', value: 'right' } }))
    const cwd = makeFolder({ 'agent.mjs': agent, 'cases.jsonl': cases })
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl'], { cwd })
    expect(run.code).toBe(1)
    expect(aliveIn(cwd, 'sleep 8648107')).toEqual([])
  },
)

test('a judge that crashes with several asking is asked again alone', async () => {
  const cwd = makeFolder({
    'judge.mjs': `
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
export default async (messages) => {
  const text = JSON.stringify(messages)
  appendFileSync('asked.log', 'x')
  if (text.includes('poison')) { while (readFileSync('asked.log').length < 3) await delay(1); process.exit(0) }
  await delay(300)
  return { content: { passed: true, reason: 'fine' } }
}`,
    'cases.jsonl': ['fine', 'poison', 'good'].map((id) => ({
      id,
      input: id,
      assert: { type: 'agent', use: './judge.mjs', value: 'is polite' },
    })),
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.jsonl', '--parallel', '3']
  const { code } = await viva(args, { cwd })
  const { results } = checkRun(join(cwd, 'o.jsonl'))
  expect(code).toBe(1)
  expect(Object.fromEntries(results.map(({ id, status }) => [id, status]))).toEqual({
    fine: 'passed',
    good: 'passed',
    poison: 'failed',
  })
  expect(results.find(({ id }) => id === 'poison')).toMatchObject({ error_kind: 'validator' })
})

test('errors left behind name the case and are errors of the run', async () => {
  const run = await tryRun([{ id: 'leaves', input: 'throw-later', assert: RIGHT }])
  expect(run.code).toBe(1)
  expect(ofCase(run, 'leaves')).toMatchObject({ status: 'passed' })
  const error = run.events.find((event) => event.type === 'error')
  expect(error).toMatchObject({ where: 'agent.mjs, case leaves', message: expect.stringContaining('thrown later') })
  expect(JSON.stringify(error)).not.toContain('module-child')
})

test('what a crash had printed and said is kept', async () => {
  const cwd = makeFolder({
    'agent.ts': `export async function* run() {
  yield 'half an answer'
  await new Promise((resolve) => setImmediate(resolve))
  console.log('going down')
  process.exit(7)
}`,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.ts#run', '-o', 'o.jsonl'], { cwd })
  expect(run.code).toBe(1)
  const { results } = checkRun(join(cwd, 'o.jsonl'))
  expect(results).toMatchObject([{ output: 'half an answer', logs: ['going down'], error_kind: 'crashed' }])
  expect(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).toContain('exited with code 7')
})
