// Signals and lost readers: an orderly stop with everything that was gathered, or at once when asked twice.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { XmlDocument } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { BIN, makeFolder, startViva, viva, type StartedCli } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf, manyCases, markedBy, readRun, until } from './support.js'
import { onLinux } from '../support/systems.js'

/** Three cases are done, the fourth never answers; five at once would hang, but only one does. */
function startHanging(args: string[] = []): { dir: string; started: StartedCli } {
  const dir = makeFolder({ 'cases.jsonl': manyCases(9) })
  copyFileSync(join(AGENTS, 'counting.mjs'), join(dir, 'agent.mjs'))
  const outputs = ['-o', 'out.jsonl', '-o', 'out.xml', '-o', 'out.json']
  const started = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', ...outputs, ...args], {
    cwd: dir,
    env: { HANG_AT: '4' },
  })
  return { dir, started }
}

async function isStuck(dir: string): Promise<void> {
  await until(() => linesOf(join(dir, 'calls.log')).length === 4, 'the fourth case runs')
  await until(() => readRun(join(dir, 'out.jsonl')).results.length === 3, 'three results')
}

/** Agents that ignore SIGTERM, fork, and have a child in a session of its own. */
async function startStubborn(): Promise<{ dir: string; started: StartedCli }> {
  const dir = makeFolder({ 'cases.jsonl': manyCases(6) })
  const args = ['test', '-i', 'cases.jsonl', '-o', 'out.jsonl', '--parallel', '2', '-n', `exec:${AGENTS}forks.sh`]
  const started = startViva(args, { cwd: dir })
  const escaped = () => markedBy(started.process.pid).filter((command) => command.includes('sleep 86403'))
  await until(() => escaped().length === 2, 'both agents run')
  return { dir, started }
}

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s: results, summary and reports are written, exit %i, and --resume does the rest',
  async ([name, code]) => {
    const { dir, started } = startHanging()
    await isStuck(dir)
    started.process.kill(name)
    const run = await started.done
    expect(run.code).toBe(code)
    expect(run.stdout).toContain('Interrupted')
    expect(run.stdout).toContain('\nResume: viva test --resume out.jsonl\n')
    const { summary, results } = checkRun(join(dir, 'out.jsonl'), { complete: true })
    expect(results.map((result) => result.status)).toEqual(['passed', 'passed', 'passed'])
    expect(summary).toMatchObject({ interrupted: true, passed: 3, failed: 0, not_run: 6, exit_code: code })
    XmlDocument.fromString(readFileSync(join(dir, 'out.xml'), 'utf8')).dispose()
    expect(JSON.parse(readFileSync(join(dir, 'out.json'), 'utf8'))).toMatchObject({ summary: { not_run: 6 } })

    const resumed = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
    expect(resumed.code).toBe(0)
    const whole = checkRun(join(dir, 'out.jsonl'), { complete: true })
    expect(whole.summary).toMatchObject({ passed: 9, not_run: 0, exit_code: 0 })
    expect(whole.summary).not.toHaveProperty('interrupted')
    expect(linesOf(join(dir, 'calls.log'))).toHaveLength(10)
  },
)

onLinux(
  'Ctrl-C ends agents that ignore SIGTERM, with all they started; pressed twice quickly it counts once',
  async () => {
    const { dir, started } = await startStubborn()
    started.process.kill('SIGINT')
    await started.saw('stopping')
    started.process.kill('SIGINT')
    const run = await started.done
    expect(run.code).toBe(130)
    expect(markedBy(started.process.pid)).toEqual([])
    expect(checkRun(join(dir, 'out.jsonl'), { complete: true }).summary).toMatchObject({
      interrupted: true,
      not_run: 6,
    })
    expect(existsSync(join(dir, 'out.jsonl.lock'))).toBe(false)
  },
)

onLinux('Ctrl-C again, later: exits at once, with a summary and nothing left behind', async () => {
  const { dir, started } = await startStubborn()
  started.process.kill('SIGINT')
  await started.saw('stopping')
  const first = performance.now()
  await until(() => performance.now() - first > 1200, 'the second one is meant')
  started.process.kill('SIGINT')
  const run = await started.done
  expect(run.code).toBe(130)
  expect(checkRun(join(dir, 'out.jsonl'), { complete: true }).summary).toMatchObject({
    interrupted: true,
    not_run: 6,
    exit_code: 130,
    reasons: ['interrupted (SIGINT)'],
  })
  await until(() => markedBy(started.process.pid).length === 0, 'the agents are gone')
  const again = await viva(['test', '--resume', 'out.jsonl', '-n', `exec:${AGENTS}echo.sh`], { cwd: dir })
  expect(again.code).toBe(0)
})

onLinux('before anything has begun there is nothing to save: the first Ctrl-C ends it', async () => {
  const dir = makeFolder()
  const started = startViva(['test', '-i', '-', '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  await until(() => listensForSignals(started.process.pid), 'it listens')
  started.process.kill('SIGINT')
  expect((await started.done).code).toBe(130)
  expect(existsSync(join(dir, 'out.jsonl'))).toBe(false)
})

onLinux('a signal while many cases are being read is heard before they all are', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(100_000) })
  const started = startViva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  await until(() => hasOpen(started.process.pid, join(dir, 'cases.jsonl')), 'it reads')
  started.process.kill('SIGHUP')
  const { code, stdout } = await started.done
  expect({ code, stdout }).toEqual({ code: 129, stdout: '' })
  expect(existsSync(join(dir, 'out.jsonl'))).toBe(false)
})

onLinux('Ctrl-C ends script tests without a verdict', async () => {
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/shop/package.yao': { name: 'shop' },
    'assistants/shop/src/desk_test.ts': `function TestA() {}
function TestB() { require('node:fs').writeFileSync('running', ''); while (true) {} }
function TestC() {}`,
  })
  const started = startViva(['test', '-i', 'scripts.shop.desk', '-o', 'out.jsonl'], { cwd: dir })
  await until(() => existsSync(join(dir, 'running')), 'the second test runs')
  started.process.kill('SIGINT')
  expect((await started.done).code).toBe(130)
  expect(markedBy(started.process.pid)).toEqual([])
  const { results, summary } = checkRun(join(dir, 'out.jsonl'), { complete: true })
  expect(results.map((result) => result.name)).toEqual(['TestA'])
  expect(summary).toMatchObject({ interrupted: true, passed: 1, not_run: 2 })
})

onLinux('Ctrl-Z stops the agents too, and the time until fg is not the time of the case', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'go', timeout: '4s', expected: 'went' }] })
  const args = ['test', '-i', 'cases.jsonl', '-o', 'out.jsonl', '-n', `exec:${AGENTS}waits-for-go.sh`]
  const started = startViva(args, { cwd: dir })
  await until(() => linesOf(join(dir, 'running')).length === 1, 'the agent runs')
  const agent = Number(linesOf(join(dir, 'running'))[0])
  const began = performance.now()
  started.process.kill('SIGTSTP')
  // D: a shell that has just forked waits for its stopped child.
  const stopped = () => stateOf(started.process.pid) === 'T' && ['T', 'D'].includes(stateOf(agent) ?? '')
  await until(stopped, 'both are stopped')
  await until(() => performance.now() - began > 4300, 'the deadline would have passed')
  writeFileSync(join(dir, 'go'), '')
  started.process.kill('SIGCONT')
  const run = await started.done
  expect(run.stdout).not.toContain('timeout')
  expect(run.code).toBe(0)
})

test('a reader that goes away does not end the run', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(3000) })
  const started = startViva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl', '-v'], { cwd: dir })
  started.process.stdout?.once('data', () => started.process.stdout?.destroy())
  const run = await started.done
  expect(run.code).toBe(0)
  expect(run.stderr).not.toMatch(/EPIPE|at .*:\d+/)
  expect(checkRun(join(dir, 'out.jsonl'), { complete: true }).summary).toMatchObject({ passed: 3000 })
})

test('nor does a full disk behind standard output', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(20) })
  const run = await intoFullDisk(dir, 'test -i cases.jsonl -n builtin:echo -o out.jsonl')
  expect(run).toEqual({ code: 0, stderr: expect.stringContaining('cannot write to standard output') })
  checkRun(join(dir, 'out.jsonl'), { complete: true })
})

test.each([
  ['the events', 'test -i cases.jsonl -n builtin:echo --json'],
  ['a report', 'test -i cases.jsonl -n builtin:echo -r report.junit'],
  ['the answer to a message', 'test -i hello -n builtin:echo'],
  ['a report of a finished run', 'report out.jsonl --format junit'],
])('but %s that is lost there is not a success', async (_name, args) => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(2) })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  const run = await intoFullDisk(dir, args)
  expect(run).toEqual({ code: 3, stderr: expect.stringContaining('cannot write to standard output') })
})

async function intoFullDisk(cwd: string, args: string): Promise<{ code: unknown; stderr: string }> {
  const command = `"${process.execPath}" "${BIN}" ${args} > /dev/full`
  const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return { code: await new Promise((resolve) => child.on('close', resolve)), stderr }
}

function hasOpen(pid: number | undefined, file: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === file)
  } catch {
    return false
  }
}

/** SIGTSTP is the last one that Viva asks for, and Node does not ask for it on its own. */
function listensForSignals(pid: number | undefined): boolean {
  const caught = /^SigCgt:\s+(\w+)$/m.exec(readProc(pid, 'status'))?.[1] ?? '0'
  return ((BigInt(`0x${caught}`) >> BigInt(constants.signals.SIGTSTP - 1)) & 1n) === 1n
}

function stateOf(pid: number | undefined): string | undefined {
  return readProc(pid, 'stat').replace(/^.*\) /s, '')[0]
}

function readProc(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

test('Ctrl-C while a reporter works: the results stay, no half report, and the exit code says who ended it', async () => {
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'contains', value: 'x' } }],
    'reporter.mjs': `import fs from 'node:fs'
export default async () => {
  fs.writeFileSync('reporting', '')
  await new Promise(() => setInterval(() => {}, 1000))
}`,
  })
  const args = [
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    'builtin:echo',
    '-r',
    './reporter.mjs',
    '-o',
    'o.jsonl',
    '-o',
    'o.md',
  ]
  const started = startViva(args, { cwd: dir })
  await until(() => existsSync(join(dir, 'reporting')), 'the reporter works')
  started.process.kill('SIGINT')
  expect((await started.done).code).toBe(130)
  const { results, summary } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(results.map(({ status }) => status)).toEqual(['passed'])
  expect(summary).toMatchObject({ exit_code: 130, passed: 1, not_run: 0 })
  expect(summary?.reasons?.[0]).toBe('interrupted (SIGINT)')
  expect(existsSync(join(dir, 'o.md'))).toBe(false)
})
