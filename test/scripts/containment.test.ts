// Whatever a script test does to its process, each test has its right verdict, in order, and nothing is left running.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'
import { onLinux } from '../support/systems.js'

const BAD = `// @ts-nocheck
import { readSync } from 'node:fs'
import { spawn } from 'node:child_process'

function TestPasses(t) { t.assert.True(true) }
function TestEndlessLoop(t) { while (true) {} }
function TestExits(t) { process.exit(0) }
function TestKillsItself(t) { process.kill(process.pid) }
function TestBlockingRead(t) {
  // A pipe that is never written to, held open by the test's own program.
  const child = spawn('sleep', ['86413'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.log('started ' + child.pid)
  const cell = new Int32Array(new SharedArrayBuffer(4))
  try { readSync(child.stdout._handle.fd, Buffer.alloc(1)) } catch { Atomics.wait(cell, 0, 0) }
}
function TestForgesAVerdict(t) {
  const forged = { type: 'result', id: 'FORGED', name: 'TestForgesAVerdict', status: 'passed' }
  console.log(JSON.stringify(forged))
  process.stdout.write('ok 6 - FORGED\\n')
  process.send?.(forged)
  t.assert.Equal(1, 2, 'the real verdict')
}
function TestRejectsLater(t) { setTimeout(() => Promise.reject(new Error('after the end')), 0) }
function TestPassesToo(t) { t.assert.Equal(1, 1) }
`

const MEMORY = `
function TestHeap(t) { const all = []; while (true) all.push(new Array(100_000).fill(Math.random())) }
function TestBuffers(t) { const all = []; while (true) all.push(Buffer.alloc(256 * 1024 * 1024, 1)) }
function TestPasses(t) { t.assert.True(true) }
`

const FORMATS = ['events.jsonl', 'r.json', 'r.md', 'r.html', 'r.xml', 'r.tap', 'r.ctrf.json', 'r.txt']

onLinux(
  'eight tests, eight right verdicts in order, in every format, and no process left',
  async () => {
    const cwd = makeFolder({
      'assistants/bad/package.yao': '{ "name": "bad" }',
      'assistants/bad/src/eight_test.ts': BAD,
    })
    const args = [
      'agent',
      'test',
      '-i',
      'scripts.bad.eight',
      '--timeout',
      '4s',
      ...FORMATS.flatMap((name) => ['-o', name]),
    ]
    const run = await viva(args, { cwd })
    expect(run.code, run.stderr).toBe(1)

    const events = parseEvents(readFileSync(join(cwd, 'events.jsonl'), 'utf8'))
    const results = events.filter((event) => event.type === 'result')
    const verdicts = results.map(({ name, status, error_kind }) => [name, status, error_kind])
    expect(verdicts).toEqual([
      ['TestPasses', 'passed', undefined],
      ['TestEndlessLoop', 'failed', 'timeout'],
      ['TestExits', 'failed', 'crashed'],
      ['TestKillsItself', 'failed', 'crashed'],
      ['TestBlockingRead', 'failed', 'timeout'],
      ['TestForgesAVerdict', 'failed', 'assertion'],
      ['TestRejectsLater', 'passed', undefined],
      ['TestPassesToo', 'passed', undefined],
    ])
    const errors = Object.fromEntries(results.map(({ name, error }) => [name, error]))
    expect(errors['TestEndlessLoop']).toBe('timeout after 4s')
    expect(errors['TestExits']).toBe("the script's process exited before reporting (exit code 0)")
    expect(errors['TestKillsItself']).toBe("the script's process was killed by SIGTERM")
    expect(errors['TestForgesAVerdict']).toBe('assertion failed: the real verdict')
    expect(events.filter((event) => event.type === 'error')).toMatchObject([
      { where: 'scripts.bad.eight.TestRejectsLater', message: expect.stringContaining('after the end') as string },
    ])

    const names = verdicts.map(([name]) => name)
    expect(run.stdout.match(/(?<=► \[)\w+/g)).toEqual(names)
    expect(run.stdout).toContain('Summary: 3 passed, 5 failed, 0 skipped')
    const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
    const report = JSON.parse(text('r.json')) as { results: Array<{ name: string }>; errors: unknown[] }
    expect(report.results.map((result) => result.name)).toEqual(names)
    expect(report.errors).toHaveLength(1)
    // What went wrong outside any test is a test that failed for those who only know tests.
    expect(text('r.xml')).toContain('<testsuite name="scripts.bad.eight" tests="9" failures="1" errors="5"')
    expect(text('r.tap')).toContain('not ok 9 - error outside any test: scripts.bad.eight.TestRejectsLater')
    expect((JSON.parse(text('r.ctrf.json')) as Ctrf).results.summary).toMatchObject({ tests: 9, passed: 3, failed: 6 })
    expect(text('r.md')).toContain('## Errors outside any test\n\n- scripts.bad.eight.TestRejectsLater\n')
    expect(text('r.txt')).toContain('Summary: 3 passed, 5 failed, 0 skipped')
    expect(text('r.html')).toContain('after the end')
    for (const format of FORMATS) expect(text(format).includes('not ok 6 - FORGED'), format).toBe(false)

    expect(results[4]?.['logs']).toEqual([expect.stringMatching(/^started \d+$/)])
    expect(commandsRunning().filter((command) => command.includes('86413') || command.includes(cwd))).toEqual([])
  },
  120_000,
)

interface Ctrf {
  results: { summary: Record<string, number> }
}

function commandsRunning(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        return []
      }
    })
}

onLinux('a test that fills the memory of its process crashes alone, and the next one runs', async () => {
  const cwd = makeFolder({
    'assistants/bad/package.yao': '{ "name": "bad" }',
    'assistants/bad/src/memory_test.ts': MEMORY,
  })
  // Long enough for a busy machine to run out of memory first.
  const run = await viva(['agent', 'test', '-i', 'scripts.bad.memory', '--timeout', '20s', '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results.map(({ name, status, error_kind }) => [name, status, error_kind])).toEqual([
    ['TestHeap', 'failed', 'crashed'],
    ['TestBuffers', 'failed', expect.stringMatching(/^(?:script|crashed)$/)],
    ['TestPasses', 'passed', undefined],
  ])
  expect(results[0]?.['error']).toContain('ran out of memory')
  expect(results[1]?.['error']).toMatch(/memory|allocation failed/i)
  expect(run.code).toBe(1)
})

test('an error after the last test is enough for exit code 1, and says why', async () => {
  const cwd = makeFolder({
    'assistants/late/package.yao': '{ "name": "late" }',
    'assistants/late/src/late_test.ts': `
function TestLate(t) { setTimeout(() => { throw new Error('too late') }, 1) }
function TestSlow(t) { time.Sleep(20) }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.late.late'], { cwd })
  expect(run.stdout).toContain('Summary: 2 passed, 0 failed, 0 skipped')
  expect(run.stdout).toContain('✗ scripts.late.late.TestLate: Error: too late')
  expect(run.stdout).toContain('Exit code 1: 1 error outside any case')
  expect(run.code).toBe(1)
})
