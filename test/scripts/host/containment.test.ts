// A script can do anything to its own process, and nothing to the run: the faults of chapter B, with real processes.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { onLinux } from '../../support/systems.js'
import { CONTEXT, makeApp, open, runBody, runFound, runTests, type TestApp } from '../../support/script-app.js'

let app: TestApp | undefined

afterEach(() => app?.remove())

/** Processes of an application: its scripts get this variable, and so does what they start. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PWD_OF_APP=${folder}\0`)
    } catch {
      return false
    }
  })
}

const SHOW = `
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
export function TestFirst(t) { t.assert.Equal(1, 1) }
export function TestHeap() { const all = []; while (true) all.push(new Array(1000).fill({})) }
export function TestBuffers() { const all = []; while (true) all.push(Buffer.alloc(64 << 20, 1)) }
export function TestExit() { process.exit(0) }
export function TestKill() { process.kill(process.pid, 'SIGKILL') }
export function TestRead() { execFileSync('mkfifo', ['pipe']); fs.readFileSync('pipe') }
export function TestForge(t) {
  fs.writeSync(1, JSON.stringify({ k: 'verdict', index: 6, verdict: { status: 'passed', duration_ms: 1 } }) + '\\n')
  process.stdout.write(JSON.stringify({ type: 'result', id: 'FORGED', status: 'passed' }) + '\\n')
  process.send?.({ k: 'verdict', index: 6, verdict: { status: 'passed' } })
  t.fail('forged')
}
export function TestLate() { setTimeout(() => Promise.reject(new Error('too late')), 20) }
export function TestLast(t) { t.assert.Equal(2, 2) }
`

// A loop without end: test/faults/scripts.test.ts.
onLinux('nine tests, nine right verdicts in order, and nothing left behind', async () => {
  app = makeApp({ 'src/show_test.ts': SHOW })
  const { root } = app
  const { order, outcomes, errors } = await runTests(root, 'scripts.expense.show', {
    timeoutMs: 5000,
    memoryMb: 64,
    env: { PWD_OF_APP: root },
  })
  expect(order).toEqual([
    'TestFirst passed',
    'TestHeap failed',
    'TestBuffers failed',
    'TestExit failed',
    'TestKill failed',
    'TestRead failed',
    'TestForge failed',
    'TestLate passed',
    'TestLast passed',
  ])
  expect(outcomes['TestHeap']?.error).toMatch(/ran out of memory: FATAL ERROR: .*heap out of memory/)
  expect(outcomes['TestHeap']?.error_kind).toBe('crashed')
  expect(outcomes['TestBuffers']?.error).toMatch(/allocation failed|failed to allocate|out of memory/i)
  expect(outcomes['TestExit']).toMatchObject({
    error: "the script's process exited before reporting (exit code 0)",
    error_kind: 'crashed',
  })
  expect(outcomes['TestKill']?.error).toBe("the script's process was killed by SIGKILL")
  expect(outcomes['TestRead']).toMatchObject({ error: 'timeout after 5s', error_kind: 'timeout' })
  expect(outcomes['TestForge']?.error).toBe('forged')
  expect(outcomes['TestForge']?.logs.join('\n')).toContain('FORGED')
  expect(errors).toEqual([
    { message: expect.stringContaining('too late') as string, where: 'scripts.expense.show.TestLate' },
  ])
  expect(processesIn(root)).toEqual([])
})

test('a frame on the private channel that is not ours ends the test as failed', async () => {
  const frame = `const body = require('node:v8').serialize({ k: 'verdict', index: 0, verdict: { status: 'passed', duration_ms: 1 } })
  const head = Buffer.alloc(20); head.writeUInt32LE(16 + body.length, 0)
  require('node:fs').writeSync(3, Buffer.concat([head, body]))
  while (true) {}`
  const { outcome } = await runBody(frame)
  expect(outcome).toMatchObject({ status: 'failed', error_kind: 'crashed' })
  expect(outcome.error).toContain('private channel')
})

test('replacing the functions we use changes no verdict', async () => {
  const { outcome } = await runBody(`
  const fs = require('node:fs'), v8 = require('node:v8')
  const seen = []
  const write = fs.writeSync
  fs.writeSync = (...args) => { seen.push(args); return args[1].length }
  try { v8.Serializer.prototype.writeValue = function () {} } catch {}
  try { v8.DefaultSerializer.prototype.writeValue = function () {} } catch {}
  Object.prototype.toJSON = () => 'polluted'; Array.prototype.toJSON = () => 'polluted'
  Uint8Array.prototype.set = () => {}; Buffer.allocUnsafe = () => Buffer.alloc(0)
  process.reallyExit = () => {}
  t.log('seen', seen.length)
  t.assert.Equal(1, 2, 'really')`)
  expect(outcome).toMatchObject({ status: 'failed', error: 'assertion failed: really', logs: ['seen 0'] })
})

test('what a script does to prototypes and globals stays in its process', async () => {
  app = makeApp({
    'src/a_test.ts': `function TestPollute(t) { Object.prototype.polluted = 1; globalThis.leak = 1; process.env.LEAK = '1' }`,
    'src/b_test.ts': `function TestClean(t) { t.assert.Nil({}.polluted); t.assert.Nil(globalThis.leak); t.assert.Nil(process.env.LEAK) }`,
    'src/c.ts': `export function Dirty() { Object.prototype.polluted = 1; return 1 }
export function Look() { return [({} as any).polluted, (globalThis as any).leak, process.pid] }
export function Leak() { (globalThis as any).leak = 1 }`,
  })
  const scripts = open(app.root)
  try {
    expect((await runFound(scripts, 'scripts.expense.*')).order).toEqual(['TestPollute passed', 'TestClean passed'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const call = (name: string): Promise<unknown> =>
      scripts.call({ ref: `scripts.expense.c.${name}`, role: 'agent', args: [], signal: new AbortController().signal })
    await call('Dirty')
    await call('Leak')
    expect(((await call('Look')) as unknown[]).slice(0, 2)).toEqual([undefined, undefined])
  } finally {
    await scripts.close()
  }
})

test('a promise that nothing can settle fails its test at once, and the next one runs', async () => {
  app = makeApp({
    'src/never_test.ts': `async function TestNever() { await new Promise(() => {}) }\nfunction TestNext(t) {}`,
  })
  const { outcomes, order } = await runTests(app.root, 'scripts.expense.never')
  expect(order).toEqual(['TestNever failed', 'TestNext passed'])
  expect(outcomes['TestNever']?.error).toBe('Error: TestNever waits for a promise that nothing can settle any more')
})

test('an exception in a timer fails the test that set it', async () => {
  app = makeApp({
    'src/timer_test.ts': `async function TestTimer() { setTimeout(() => { throw new Error('in a timer') }, 1); await new Promise((r) => setTimeout(r, 60000)) }
function TestNext(t) {}`,
  })
  const { outcomes, order } = await runTests(app.root, 'scripts.expense.timer')
  expect(order).toEqual(['TestTimer failed', 'TestNext passed'])
  expect(outcomes['TestTimer']).toMatchObject({ error: 'Error: in a timer', error_kind: 'script' })
  expect(outcomes['TestTimer']?.stack).toMatch(/timer_test\.ts:1:/)
})

test('what comes after the end is an error of its own, by the name of the test that caused it', async () => {
  app = makeApp({
    'src/late_test.ts': `
async function TestA(t) { setTimeout(() => t.assert.Equal(1, 2, 'late'), 10) }
async function TestB(t) { setTimeout(() => { throw new Error('late throw') }, 10); await new Promise((r) => setTimeout(r, 1)) }
async function TestC(t) { await new Promise((r) => setTimeout(r, 50)); t.assert.True(true) }`,
  })
  const { order, errors } = await runTests(app.root, 'scripts.expense.late')
  expect(order).toEqual(['TestA passed', 'TestB passed', 'TestC passed'])
  expect(errors.map(({ message, where }) => [message.split('\n')[0], where])).toEqual([
    ['t.assert.Equal was called after TestA had ended', 'scripts.expense.late.TestA'],
    ['Error: late throw', 'scripts.expense.late.TestB'],
  ])
  expect(errors[1]?.message).toMatch(/late_test\.ts:3:/)
})

test('a file that does not compile fails its tests with the line; others run', async () => {
  app = makeApp({
    'src/a_test.ts': `function TestA(t) {\n  const x = ;\n}`,
    'src/b_test.ts': `import { nothing } from './missing'\nfunction TestB(t) { nothing() }`,
    'src/c_test.ts': `function TestC(t) {}`,
    'src/d_test.ts': `throw new Error('at the top')\nfunction TestD(t) {}`,
    'src/e_test.ts': `import x from 'no-such-package'\nfunction TestE(t) { x() }`,
  })
  const { order, outcomes } = await runTests(app.root, 'scripts.expense.*')
  expect(order).toEqual(['load failed', 'TestB failed', 'TestC passed', 'TestD failed', 'TestE failed'])
  expect(outcomes['load']?.error).toBe('assistants/expense/src/a_test.ts:2:13: Unexpected ";"')
  expect(outcomes['TestB']?.error).toBe('assistants/expense/src/b_test.ts:1:25: Could not resolve "./missing"')
  expect(outcomes['TestD']?.error).toBe('Error: at the top')
  expect(outcomes['TestD']?.stack).toMatch(/d_test\.ts:1:7/)
  expect(outcomes['TestE']?.error).toContain("Cannot find module 'no-such-package'")
})

test('a syntax error in the sibling is the sibling named', async () => {
  app = makeApp({ 'src/a.ts': `export function F( {`, 'src/a_test.ts': `function TestA(t) { F() }` })
  const { outcomes } = await runTests(app.root, 'scripts.expense.a')
  expect(outcomes['TestA']?.error).toMatch(/^assistants\/expense\/src\/a\.ts:1:\d+: /)
})

test('loading that never ends is ended', async () => {
  app = makeApp({ 'src/a_test.ts': `while (true) {}\nfunction TestA(t) {}\nfunction TestB(t) {}` })
  const { outcomes, order } = await runTests(app.root, 'scripts.expense.a', { timeoutMs: 1000 })
  expect(order).toEqual(['TestA failed', 'TestB failed'])
  expect(outcomes['TestA']).toMatchObject({
    error: 'timeout after 1s (while the file was loaded)',
    error_kind: 'timeout',
  })
})

test('a flood of output is kept in bounds and counted', async () => {
  const { outcome } = await runBody(`for (let i = 0; i < 200000; i++) console.log('line ' + i)`)
  expect(outcome.status).toBe('passed')
  expect(outcome.logs[0]).toBe('line 0')
  expect(outcome.logs.at(-1)).toBe('line 199999')
  expect(outcome.logs.length + (outcome.logs_dropped ?? 0)).toBe(200_000)
  expect(outcome.logs.join('\n').length).toBeLessThan(1024 * 1024)
})

test('a million failing assertions are one short result', async () => {
  const { outcome } = await runBody(`for (let i = 0; i < 100000; i++) t.assert.Equal(i, -1)`)
  expect(outcome.error).toBe('assertion failed: expected -1, got 0')
  expect(outcome.assertions).toHaveLength(101)
  expect(outcome.assertions?.at(-1)?.message).toBe('99900 more assertions are not listed')
})

onLinux('programs a script starts die with its file', async () => {
  app = makeApp({
    'src/spawn_test.ts': `import { spawn } from 'node:child_process'
function TestSpawn(t) { spawn('sleep', ['1000'], { stdio: 'inherit' }); spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).unref() }`,
  })
  const { root } = app
  const { order } = await runTests(root, 'scripts.expense.spawn', { env: { PWD_OF_APP: root } })
  expect(order).toEqual(['TestSpawn passed'])
  expect(processesIn(root)).toEqual([])
})

test('cancelling ends the running test without a verdict', async () => {
  app = makeApp({
    'src/a_test.ts': `function TestA(t) {}\nfunction TestB(t) { while (true) {} }\nfunction TestC(t) {}`,
  })
  const controller = new AbortController()
  const { order } = await runTests(app.root, 'scripts.expense.a', {
    signal: controller.signal,
    onStart: (name) => {
      if (name === 'TestB') controller.abort(new Error('Ctrl-C'))
    },
  })
  expect(order).toEqual(['TestA passed'])
})

test('scripts see an allow-listed environment', async () => {
  process.env['VIVA_SECRET_FOR_TEST'] = 'hidden'
  try {
    const { outcome } = await runBody(
      `t.log(process.env.VIVA_SECRET_FOR_TEST ?? 'none', process.env.GIVEN, typeof process.env.PATH)`,
      {
        env: { GIVEN: 'yes' },
      },
    )
    expect(outcome.logs).toEqual(['none yes string'])
  } finally {
    delete process.env['VIVA_SECRET_FOR_TEST']
  }
})

onLinux('when Viva itself is killed, its scripts end too', async () => {
  app = makeApp({
    'src/loop_test.ts': `import { spawn } from 'node:child_process'
function TestLoop(t) { spawn('sleep', ['1000'], { stdio: 'ignore' }); console.log('looping'); while (true) {} }`,
  })
  const { root } = app
  const { build } = await import('esbuild')
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { CHILD_BUILD } = await import('../../../src/process/child-entry.js')
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.viva-test-'))
  try {
    const here = new URL('.', import.meta.url).pathname
    await build({
      ...CHILD_BUILD,
      entryPoints: [join(here, '../../../src/scripts/child/main.ts')],
      outfile: join(folder, 'child.cjs'),
    })
    await build({
      stdin: {
        contents: `import { openScripts } from '../../../src/scripts/host/runtime.js'
import { Processes } from '../../../src/process/processes.js'
const scripts = openScripts({ appRoot: ${JSON.stringify(root)}, poolSize: 3, processes: new Processes({ env: process.env, cwd: process.cwd() }), env: { PWD_OF_APP: ${JSON.stringify(root)} }, handlers: {} })
const [file] = await scripts.find('scripts.expense.loop')
await scripts.runFile({ file, tests: file.tests, context: ${JSON.stringify(CONTEXT)}, timeout_ms: 600000,
  signal: new AbortController().signal, onStart() { setTimeout(() => console.log('started'), 200) }, onOutcome() {}, onError() {} })`,
        resolveDir: here,
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outfile: join(folder, 'host.mjs'),
    })
    const host = spawn(process.execPath, [join(folder, 'host.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => host.stdout.once('data', resolve))
    expect(processesIn(root).length).toBeGreaterThanOrEqual(2)
    host.kill('SIGKILL')
    await expect.poll(() => processesIn(root), { timeout: 5000 }).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
