// Where results go: what cannot be written is refused before any agent is called, what breaks on the way is kept up to there.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, makeFolder, startViva, viva, writeFiles, type CliRun } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf, manyCases, readRun, shownIds, until } from './support.js'

const isRoot = process.getuid?.() === 0

function folder(count = 5): string {
  const dir = makeFolder({ 'cases.jsonl': manyCases(count) })
  copyFileSync(join(AGENTS, 'counting.mjs'), join(dir, 'agent.mjs'))
  return dir
}

function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<CliRun> {
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', ...args], { cwd: dir, env })
}

function calls(dir: string): number {
  return linesOf(join(dir, 'calls.log')).length
}

test('the case file is never an output, not even with --force or through a link', async () => {
  const dir = folder()
  symlinkSync('cases.jsonl', join(dir, 'link.jsonl'))
  const before = readFileSync(join(dir, 'cases.jsonl'), 'utf8')
  for (const args of [
    ['-o', 'cases.jsonl'],
    ['-o', 'link.jsonl'],
    ['--dry-run', '-o', 'cases.jsonl'],
  ]) {
    const { code, stderr } = await run(dir, [...args, '--force'])
    expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining('code: OUTPUT_TAKEN') })
  }
  expect(readFileSync(join(dir, 'cases.jsonl'), 'utf8')).toBe(before)
  expect(calls(dir)).toBe(0)
})

test('an output that cannot be written is refused before the first call', async () => {
  const dir = folder()
  mkdirSync(join(dir, 'there.jsonl'))
  mkdirSync(join(dir, 'there.json'))
  writeFileSync(join(dir, 'file'), '')
  symlinkSync('/dev/full', join(dir, 'full.jsonl'))
  for (const path of [
    'there.jsonl',
    'there.json',
    '/proc/x/o.jsonl',
    '/proc/x/o.html',
    'file/o.jsonl',
    'full.jsonl',
    'o.doc',
  ]) {
    const { code, stderr } = await run(dir, ['-o', path])
    expect({ path, code, stderr }).toEqual({
      path,
      code: 2,
      stderr: expect.stringMatching(/^error: cannot (write|tell)/),
    })
    expect(stderr).toContain(path)
    expect(stderr).not.toContain('bug')
  }
  expect(calls(dir)).toBe(0)
  expect(readdirSync(dir).toSorted()).toEqual([
    'agent.mjs',
    'cases.jsonl',
    'file',
    'full.jsonl',
    'there.json',
    'there.jsonl',
  ])
})

test('a folder without permission is refused before the first call', async ({ skip }) => {
  const dir = folder()
  mkdirSync(join(dir, 'locked'))
  chmodSync(dir, 0o777)
  chmodSync(join(dir, 'locked'), 0o555)
  const options = { cwd: dir, encoding: 'utf8' as const, env: { PATH: process.env['PATH'], HOME: dir } }
  const asNobody = isRoot ? { uid: 65534, gid: 65534 } : {}
  if (isRoot && spawnSync(process.execPath, [BIN, '--version'], { ...options, ...asNobody }).status !== 0)
    skip('another user cannot read this build')
  const args = [BIN, 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'locked/o.jsonl']
  const { status, stderr } = spawnSync(process.execPath, args, { ...options, ...asNobody })
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('EACCES') })
  expect(calls(dir)).toBe(0)
})

test('missing folders are made; several event files are copies of one', async () => {
  const dir = folder()
  const outputs = ['-o', 'a/b/o.jsonl', '-o', 'c/d/o.json', '-o', 'e/copy.jsonl']
  expect((await run(dir, outputs)).code).toBe(0)
  checkRun(join(dir, 'a/b/o.jsonl'), { complete: true })
  expect(readFileSync(join(dir, 'e/copy.jsonl'), 'utf8')).toBe(readFileSync(join(dir, 'a/b/o.jsonl'), 'utf8'))
  expect(existsSync(join(dir, 'c/d/o.json'))).toBe(true)
})

test('a file that may not grow: whole lines are kept, the rest is shown, exit 3, and --resume continues', async () => {
  const dir = folder(1000)
  const command = `ulimit -f 64; exec "${process.execPath}" "${BIN}" test -i cases.jsonl -n ./agent.mjs#answer -o o.jsonl`
  const { code, stdout, stderr } = await shell(command, dir)
  expect(code).toBe(3)
  expect(stderr).toMatch(/cannot write .*o\.jsonl: .*\(EFBIG\)/)
  const kept = checkRun(join(dir, 'o.jsonl'))
  const ids = kept.results.map((result) => result.id)
  expect(ids.length).toBeGreaterThan(0)
  expect(shownIds(stdout)).toEqual(ids)
  expect(kept.summary).toBeUndefined()
  // Finished but not written: on the terminal, as a last resort.
  const lost = stderr.split('\n').filter((line) => line.startsWith('{'))
  expect(ids.length + lost.length).toBeLessThanOrEqual(calls(dir))
  expect(calls(dir)).toBeLessThan(500)
  expect((await viva(['test', '--resume', 'o.jsonl'], { cwd: dir })).code).toBe(0)
  expect(checkRun(join(dir, 'o.jsonl'), { complete: true }).results).toHaveLength(1000)
})

test('a full disk: found at the start, or on the way', async ({ skip }) => {
  const dir = folder(2000)
  mkdirSync(join(dir, 'disk'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', join(dir, 'disk')], { stdio: 'ignore' })
  } catch {
    skip('no right to mount a small disk')
  }
  onTestFinished(() => void spawnSync('umount', [join(dir, 'disk')]))
  const { code, stderr } = await run(dir, ['-o', 'disk/o.jsonl'])
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/cannot write .*o\.jsonl: the disk is full \(ENOSPC\)/),
  })
  checkRun(join(dir, 'disk/o.jsonl'))

  const before = calls(dir)
  try {
    writeFileSync(join(dir, 'disk/rest'), Buffer.alloc(64 * 1024))
  } catch {
    // Full, as it should be.
  }
  const second = await run(dir, ['-o', 'disk/second.jsonl'])
  expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 2, stderr: expect.stringContaining('ENOSPC') })
  expect(calls(dir)).toBe(before)
  expect(readdirSync(join(dir, 'disk')).toSorted()).toEqual(['o.jsonl', 'rest'])

  // A report that cannot be written leaves the verdicts alone.
  const third = await run(dir, ['-o', 'o.jsonl', '-o', 'disk/o.html'])
  expect({ code: third.code, stderr: third.stderr }).toEqual({ code: 3, stderr: expect.stringContaining('ENOSPC') })
  const { summary } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(summary).toMatchObject({ passed: 2000, exit_code: 3, report_errors: [expect.stringContaining('o.html')] })
  expect(readdirSync(join(dir, 'disk')).toSorted()).toEqual(['o.jsonl', 'rest'])
})

test('two runs, one file: the second is refused and names the first; a killed one is taken over', async () => {
  const dir = folder()
  const first = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl'], {
    cwd: dir,
    env: { HANG_AT: '2' },
  })
  await until(() => calls(dir) === 2, 'the first runs')
  for (const args of [
    ['-o', 'o.jsonl'],
    ['-o', 'o.jsonl', '--force'],
    ['--resume', 'o.jsonl'],
  ]) {
    const { code, stderr } = await run(dir, args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`process ${first.process.pid}`) })
  }
  expect(calls(dir)).toBe(2)
  first.process.kill('SIGKILL')
  await first.done
  expect(existsSync(join(dir, 'o.jsonl.lock'))).toBe(true)
  expect((await viva(['test', '--resume', 'o.jsonl'], { cwd: dir })).code).toBe(0)
  checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(existsSync(join(dir, 'o.jsonl.lock'))).toBe(false)
})

test('a lock is stale when its process is another one by now, or cannot be read; that of another machine is respected', async () => {
  const dir = folder()
  const lock = (holder: unknown) =>
    writeFiles(dir, { 'o.jsonl.lock': typeof holder === 'string' ? holder : JSON.stringify(holder) })
  lock({ pid: process.pid, host: hostname(), process_start: '1' })
  expect((await run(dir, ['-o', 'o.jsonl'])).code).toBe(0)
  lock('')
  expect((await run(dir, ['-o', 'o.jsonl', '--force'])).code).toBe(0)
  lock({ pid: 1, host: 'another-machine' })
  const refused = await run(dir, ['-o', 'o.jsonl', '--force'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`remove ${join(dir, 'o.jsonl')}.lock`)
})

test('an existing file stays as it is: without --force, with bad input, and until the first result', async () => {
  const dir = folder()
  const path = join(dir, 'o.jsonl')
  writeFileSync(path, 'keep\n')
  writeFileSync(join(dir, 'bad.jsonl'), '{"id": "T1", "input": "x",}\n')
  expect((await run(dir, ['-o', 'o.jsonl'])).code).toBe(2)
  const bad = ['test', '-i', 'bad.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', '--force']
  expect((await viva(bad, { cwd: dir })).code).toBe(2)
  expect(calls(dir)).toBe(0)
  expect(readFileSync(path, 'utf8')).toBe('keep\n')

  const started = startViva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', '--force'], {
    cwd: dir,
    env: { HANG_AT: '1' },
  })
  await until(() => calls(dir) === 1, 'the first case runs')
  await started.saw('viva · ')
  started.process.kill('SIGINT')
  const interrupted = await started.done
  expect(interrupted.code).toBe(130)
  expect(interrupted.stdout).toContain('Interrupted')
  expect(interrupted.stderr).not.toContain('Events:')
  expect(readFileSync(path, 'utf8')).toBe('keep\n')

  expect((await run(dir, ['-o', 'o.jsonl', '--force'])).code).toBe(0)
  expect(checkRun(path, { complete: true }).results).toHaveLength(5)
})

test('two runs in the same second have two files', async () => {
  const dir = folder()
  const now = Date.now()
  const names = Array.from({ length: 120 }, (_, second) => {
    const time = new Date(now + second * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
    return `output-${time}.jsonl`
  })
  writeFiles(dir, Object.fromEntries(names.map((name) => [name, 'earlier'])))
  expect((await run(dir, [])).code).toBe(0)
  const made = readdirSync(dir).filter((name) => /^output-\d{14}-2\.jsonl$/.test(name))
  expect(made).toHaveLength(1)
  checkRun(join(dir, made[0] ?? ''), { complete: true })
  expect(names.filter((name) => readFileSync(join(dir, name), 'utf8') !== 'earlier')).toEqual([])
})

test('files that cannot be resumed say why and stay as they are', async () => {
  const dir = folder(3)
  await run(dir, ['-o', 'good.jsonl'])
  const lines = linesOf(join(dir, 'good.jsonl'))
  const [start = '', first = '', second = '', ...rest] = lines
  const bad: Record<string, [string, RegExp]> = {
    'corrupt.jsonl': [
      [start, first, second.slice(0, 20), ...rest, ''].join('\n'),
      /corrupt\.jsonl:3: this line is not an event/,
    ],
    'power.jsonl': [[start, '\0'.repeat(40), ...rest, ''].join('\n'), /power\.jsonl:2: NUL bytes/],
    'no-start.jsonl': [[first, second, ''].join('\n'), /no-start\.jsonl:1: not a run file/],
    'two.jsonl': [[start, first, start, ''].join('\n'), /two\.jsonl:3: two runs in one file/],
    'empty.jsonl': ['', /empty\.jsonl has nothing to resume/],
    'cases.jsonl': [readFileSync(join(dir, 'cases.jsonl'), 'utf8'), /cases\.jsonl:1: /],
  }
  for (const [name, [content, message]] of Object.entries(bad)) {
    writeFileSync(join(dir, name), content)
    const { code, stderr } = await viva(['test', '--resume', name], { cwd: dir })
    expect({ name, code, stderr }).toEqual({ name, code: 2, stderr: expect.stringMatching(message) })
    expect(readFileSync(join(dir, name), 'utf8')).toBe(content)
  }
  for (const name of ['missing.jsonl', '.']) {
    expect((await viva(['test', '--resume', name], { cwd: dir })).code).toBe(2)
  }
})

test('a torn last line is run again; failed cases are not; a changed input is refused', async () => {
  const dir = makeFolder({
    'cases.jsonl': [...manyCases(3), { id: 'F', input: 'x', assert: { type: 'contains', value: 'y' } }],
  })
  copyFileSync(join(AGENTS, 'counting.mjs'), join(dir, 'agent.mjs'))
  expect((await run(dir, ['-o', 'o.jsonl'])).code).toBe(1)
  const path = join(dir, 'o.jsonl')
  const whole = readFileSync(path, 'utf8')
  const results = linesOf(path).filter((line) => line.includes('"type":"result"'))
  const torn = whole.slice(0, whole.indexOf(results[1] ?? '') + 40)
  // The longer the torn part, the more there is to overwrite.
  for (const tail of [torn, `${torn}${'x'.repeat(5000)}`]) {
    writeFileSync(path, tail)
    expect((await viva(['test', '--resume', 'o.jsonl'], { cwd: dir })).code).toBe(1)
    const again = checkRun(path, { complete: true })
    expect(again.results.map((result) => result.id)).toEqual(['T00001', 'T00002', 'T00003', 'F'])
  }
  const before = calls(dir)
  expect((await viva(['test', '--resume', 'o.jsonl'], { cwd: dir })).code).toBe(1)
  expect(calls(dir)).toBe(before)

  writeFiles(dir, { 'cases.jsonl': manyCases(5) })
  const changed = await viva(['test', '--resume', 'o.jsonl'], { cwd: dir })
  expect({ code: changed.code, stderr: changed.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('has changed'),
  })
  expect(readRun(path).summary).toBeDefined()
})

function shell(command: string, cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('/bin/sh', ['-c', command], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
