// Module agents in processes of their own: what they print, keep, share and see, as it was when they ran in ours.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

interface Tried {
  code: number | null
  stdout: string
  stderr: string
  events: RunEvent[]
  results: Record<string, ResultEvent>
}

async function tryAgent(files: Files, cases: object[], args: string[] = [], env = {}): Promise<Tried> {
  const cwd = makeFolder({ ...files, 'cases.jsonl': cases })
  const agent = Object.keys(files).find((name) => name.startsWith('agent.'))
  const all = ['test', '-i', 'cases.jsonl', '-n', `./${agent}#run`, '-o', 'out.jsonl', ...args]
  const { code, stdout, stderr } = await viva(all, { cwd, env })
  const events = parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8')) as RunEvent[]
  const results = events.filter((event) => event.type === 'result')
  return { code, stdout, stderr, events, results: Object.fromEntries(results.map((result) => [result.id, result])) }
}

const outputs = ({ results }: Tried) => Object.values(results).map(({ output }) => output)

test('what a case prints is in its log, however it prints it; the rest is in the log of the run', async () => {
  const files = {
    'agent.mjs': `
import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
console.log('while loading')
let isLate
const late = new Promise((resolve) => { isLate = resolve })
export async function run(messages) {
  const text = messages.at(-1).content
  console.log('log', text, { a: 1 })
  await delay(1)
  console.error('error', text)
  await Promise.all([1, 2].map(async (n) => { await delay(n * 50); process.stdout.write('part of ' + text + n + '\\n') }))
  process.stdout.write('no end ' + text)
  if (text === 'raw') writeSync(1, 'past the capture\\n')
  setImmediate(() => setImmediate(() => { console.log('too late'); isLate() }))
  // The run must not end before one was late.
  if (text === 'd') await late
  return text
}`,
  }
  const ids = ['a', 'b', 'c', 'd', 'raw']
  const cases = ids.map((id) => ({ id, input: id, assert: { type: 'equals', value: id } }))
  const run = await tryAgent(files, cases, ['--parallel', '5', '--json'])
  expect(run.code).toBe(0)
  for (const id of ids) {
    // What went past the capture belongs to a case only when no other runs, which the order of endings decides.
    const logs = run.results[id]?.logs?.filter((line) => line !== 'past the capture')
    expect(logs).toEqual([`log ${id} { a: 1 }`, `error ${id}`, `part of ${id}1`, `part of ${id}2`, `no end ${id}`])
  }
  // Every line of the stream is an event.
  expect(parseEvents(run.stdout).length).toBe(run.events.length)
  const aside = run.events.flatMap((event) => (event.type === 'log' ? event.lines : []))
  expect(aside).toContain('while loading')
  expect(aside).toContain('too late')
  expect(run.stderr).not.toMatch(/loading|log a|too late/)

  const alone = await tryAgent(files, cases.slice(-1), ['-v'])
  expect(alone.stdout).toMatch(/│ log raw/)
  expect(alone.stdout).toMatch(/agent\.mjs printed:\n {2}│ while loading/)
  const quiet = await tryAgent(files, cases.slice(-1))
  expect(quiet.stdout + quiet.stderr).not.toMatch(/log raw|while loading|past the capture/)
})

test('printed past the capture: it belongs to the case that is the only one running', async () => {
  const { results } = await tryAgent(
    {
      'agent.mjs': `
import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
export async function run() {
  writeSync(1, 'one\\n')
  writeSync(2, 'two\\n')
  await delay(300)
  return 'x'
}`,
    },
    [{ id: 'a', input: 'x' }],
  )
  expect(results['a']?.logs?.toSorted()).toEqual(['one', 'two'])
})

test('a flood of output is kept in bounds and counted', async () => {
  const { results, code } = await tryAgent(
    {
      'agent.mjs': `export function run() {
  for (let n = 0; n < 100_000; n += 1) console.log('line ' + n)
  return 'x'
}`,
    },
    [{ id: 'a', input: 'x' }],
  )
  expect(code).toBe(0)
  const { logs = [], logs_dropped = 0 } = results['a'] ?? {}
  expect(logs[0]).toBe('line 0')
  expect(logs.at(-1)).toBe('line 99999')
  expect(logs.length + logs_dropped).toBe(100_000)
})

const COUNTING = {
  'agent.mjs': `let count = 0
const seen = new Map()
export function run(messages, ctx) {
  const turns = (seen.get(ctx.chat_id) ?? 0) + 1
  seen.set(ctx.chat_id, turns)
  return { content: { pid: process.pid, count: (count += 1), turns } }
}`,
}

test('one process by default: what the module keeps is there for every case', async () => {
  const cases = Array.from({ length: 6 }, (_, n) => ({ id: `T${n}`, input: 'x' }))
  const contents = outputs(await tryAgent(COUNTING, cases, ['--parallel', '3'])) as { pid: number; count: number }[]
  expect(new Set(contents.map(({ pid }) => pid)).size).toBe(1)
  expect(contents.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
})

test('--agent-processes: cases are spread over that many, the turns of one stay in one', async () => {
  const agent = `export async function run(messages, ctx) {
  const before = globalThis[ctx.chat_id] ?? []
  globalThis[ctx.chat_id] = [...before, process.pid]
  await new Promise((resolve) => setTimeout(resolve, 50))
  return { content: { pid: process.pid, before } }
}`
  const turns = [{ input: 'one' }, { input: 'two' }, { input: 'three' }]
  const cases = Array.from({ length: 9 }, (_, n) => ({ id: `T${n}`, turns }))
  const args = ['--parallel', '3', '--agent-processes', '3']
  const { results, code } = await tryAgent({ 'agent.mjs': agent }, cases, args)
  expect(code).toBe(0)
  const last = Object.values(results).map(({ output }) => output as { pid: number; before: number[] })
  expect(new Set(last.map(({ pid }) => pid)).size).toBe(3)
  for (const { pid, before } of last) expect(before).toEqual([pid, pid])
})

test('no more than 64 processes, and at least one', async () => {
  for (const count of ['0', '65', 'many']) {
    const run = await viva(['test', '-i', 'hi', '-n', 'builtin:echo', '--agent-processes', count], {
      cwd: makeFolder(),
    })
    expect({ count, code: run.code }).toEqual({ count, code: 2 })
    expect(run.stderr).toContain('--agent-processes')
  }
})

test('environment, folder and Node options are those of Viva', async () => {
  const { results } = await tryAgent(
    {
      'preload.cjs': 'globalThis.preloaded = "yes"',
      'agent.mjs': `import { getHeapStatistics } from 'node:v8'
export const run = () => ({ content: {
  variable: process.env.NOT_ALLOWED_TO_PROGRAMS,
  cwd: process.cwd(),
  preloaded: globalThis.preloaded,
  heap: getHeapStatistics().heap_size_limit < 400 * 1024 * 1024,
  git: process.env.GIT_CEILING_DIRECTORIES,
} })`,
    },
    [{ id: 'a', input: 'x', assert: [] }],
    [],
    { NOT_ALLOWED_TO_PROGRAMS: 'seen', NODE_OPTIONS: '--require ./preload.cjs --max-old-space-size=128' },
  )
  expect(results['a']?.output).toEqual({
    variable: 'seen',
    cwd: expect.stringContaining('viva-test-'),
    preloaded: 'yes',
    heap: true,
    git: '',
  })
})

test('CommonJS, packages, and TypeScript that imports both', async () => {
  const { results, code } = await tryAgent(
    {
      'node_modules/old/package.json': { name: 'old', main: 'index.js' },
      'node_modules/old/index.js': 'exports.old = () => "old"',
      'lib.cjs': 'exports.lib = require("old").old() + " lib"',
      'helper.ts': 'export enum Mood { Good = "good" }\nexport const mood: Mood = Mood.Good',
      'agent.ts': `import { old } from 'old'
import lib from './lib.cjs'
import { mood } from './helper'
export const run = async (): Promise<string> => [old(), lib.lib, mood, (await import('old')).default.old()].join(' ')`,
    },
    [{ id: 'a', input: 'x' }],
  )
  expect(code).toBe(0)
  expect(results['a']?.output).toBe('old old lib good old')
  const common = { 'agent.cjs': 'exports.run = () => require("./lib.cjs")', 'lib.cjs': 'module.exports = "common"' }
  expect(outputs(await tryAgent(common, [{ id: 'a', input: 'x' }]))).toEqual(['common'])
})

test('an agent that keeps a connection has it for every call', async () => {
  const { results } = await tryAgent(
    {
      'agent.mjs': `import { createServer, connect } from 'node:net'
const server = createServer((socket) => socket.on('data', (data) => socket.write(data + '!'))).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const socket = connect(server.address().port, '127.0.0.1')
export const run = (messages) => new Promise((resolve) => {
  socket.once('data', (data) => resolve({ content: String(data) + socket.localPort }))
  socket.write(messages.at(-1).content)
})`,
    },
    [
      { id: 'a', input: 'a' },
      { id: 'b', input: 'b' },
    ],
  )
  const [a = '', b = ''] = Object.values(results).map(({ output }) => String(output))
  expect(a).toMatch(/^a!\d+$/)
  expect(b.slice(2)).toBe(a.slice(2))
})

test('no process is started for other agents', async () => {
  const run = await viva(['test', '-i', 'hi', '-n', 'builtin:echo', '-o', 'o.jsonl', '-v'], {
    cwd: makeFolder({ 'viva.config.mjs': 'export default {}' }),
    env: { PATH: '/nowhere' },
  })
  expect(run.code).toBe(0)
})

test('a judge in the same file has a process of its own', async () => {
  const agent = `globalThis.told ??= process.pid
export const run = () => ({ content: 'this is ' + globalThis.told })
export const judge = (messages, ctx) => {
  const same = JSON.stringify([messages, ctx]).includes(String(globalThis.told))
  return { content: { passed: false, reason: 'judged in ' + (same ? 'the same' : 'another') + ' process' } }
}`
  const assert = { type: 'agent', use: './agent.mjs#judge', value: 'anything' }
  const { results, code } = await tryAgent({ 'agent.mjs': agent }, [{ id: 'a', input: 'x', assert }])
  expect(code).toBe(1)
  expect(JSON.stringify(results['a']?.assertions)).toContain('in another process')
})

test('the debugger reaches the agent, at a port of its own', async () => {
  const cwd = makeFolder({
    'agent.mjs': `import { url } from 'node:inspector'
export const run = () => url() ?? 'none'`,
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'regex', value: '^ws://127.0.0.1:' } }],
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'o.jsonl']
  const { code, stderr, stdout } = await viva(args, { cwd, env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } })
  expect({ code, stdout }).toMatchObject({ code: 0 })
  expect(stderr.match(/Debugger listening on ws:\/\/127\.0\.0\.1:\d+/g)).toHaveLength(2)
})
