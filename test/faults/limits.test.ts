// A system that has run out: of descriptors, of room for temporary files, of the folder we are in.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, makeFolder, viva, type CliRun } from '../support/run-cli.js'
import { checkRun, manyCases, until } from './support.js'

/** The command line with so few descriptors. */
async function vivaWith(openFiles: number, args: string[], cwd: string): Promise<CliRun> {
  const child = spawn('/bin/sh', ['-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh', process.execPath, BIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr, dir: cwd }
}

test('64 programs at once with 256 descriptors: they wait for each other, and that is said once', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(100), 'agent.sh': '#!/bin/sh\ncat\nsleep 0.2\n' })
  chmodSync(join(dir, 'agent.sh'), 0o755)
  const args = ['agent', 'test', '-i', 'cases.jsonl', '-n', 'exec:./agent.sh', '--parallel', '64', '-o', 'o.jsonl']
  const { code, stderr } = await vivaWith(256, args, dir)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr.match(/^warning: .*/gm)).toEqual([
    expect.stringMatching(/^warning: 256 open files are allowed, enough for \d+ programs at a time/),
  ])
  expect(checkRun(join(dir, 'o.jsonl'), { complete: true }).summary).toMatchObject({ passed: 100, failed: 0 })
})

test('with too few descriptors for even one program every case says so', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(3), 'agent.sh': '#!/bin/sh\ncat\n' })
  chmodSync(join(dir, 'agent.sh'), 0o755)
  const args = ['agent', 'test', '-i', 'cases.jsonl', '-n', 'exec:./agent.sh', '-o', 'o.jsonl']
  const count = `console.log(fs.readdirSync('/dev/fd').length)`
  const ofNode = Number(execFileSync(process.execPath, ['-e', count], { encoding: 'utf8' }).split('\n')[0])
  // Enough for the event file, not for the pipes of a program.
  const { code } = await vivaWith(ofNode + 6, args, dir)
  expect(code).toBe(1)
  for (const { status, error } of checkRun(join(dir, 'o.jsonl'), { complete: true }).results)
    expect({ status, error }).toEqual({
      status: 'failed',
      error: expect.stringMatching(/^agent error: cannot start .*: this process has too many open files \(EMFILE\)/),
    })
})

test('64 script files at once with 256 descriptors: every verdict is right', async () => {
  const files = Array.from({ length: 80 }, (_, n) => [
    `assistants/shop/src/f${n}_test.ts`,
    `function TestA(t) { t.assert.Equal(1, 1) }\nfunction TestB(t) { t.assert.Equal(${n}, ${n === 40 ? 0 : n}) }`,
  ])
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/shop/package.yao': { name: 'shop' },
    ...(Object.fromEntries(files) as Record<string, string>),
  })
  const args = ['agent', 'test', '-i', 'scripts.shop.*', '--parallel', '64', '-o', 'o.jsonl']
  const { code, stderr } = await vivaWith(256, args, dir)
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.not.stringContaining('MaxListeners') as string })
  const { summary } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(summary).toMatchObject({ passed: 159, failed: 1, not_run: 0 })
})

test('the folder we are in is gone: said before anything else, by every command', async () => {
  const dir = makeFolder()
  for (const args of ['test -i hello -n builtin:echo', 'history', 'view']) {
    const { status, stderr } = spawnSync(
      '/bin/sh',
      ['-c', `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" ${args}`, process.execPath, BIN],
      { cwd: dir, encoding: 'utf8' },
    )
    expect({ args, status, stderr }).toEqual({
      args,
      status: 2,
      stderr: expect.stringContaining('the working directory no longer exists'),
    })
  }
})

test('no room for temporary files: refused before the first call, or ended with what to do', async ({ skip }) => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(500) })
  const disk = join(dir, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    skip('no right to mount a small disk')
  }
  onTestFinished(() => void spawnSync('umount', [disk]))
  const env = { TMPDIR: disk }
  const report = ['agent', 'test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'o.html']
  const during = await viva(report, { cwd: dir, env })
  expect({ code: during.code, stderr: during.stderr }).toEqual({ code: 3, stderr: expect.stringContaining('ENOSPC') })
  expect(during.stderr).toContain('set TMPDIR to a folder with more room')
  expect(readdirSync(disk)).toEqual([])

  try {
    writeFileSync(join(disk, 'rest'), Buffer.alloc(128 * 1024))
  } catch {
    // Full, as it should be.
  }
  for (const [args, stdin] of [
    [report, ''],
    [['agent', 'test', '-i', '-', '-n', 'builtin:echo', '-o', 'o.jsonl'], '{"id": "T1", "input": "hi"}\n'],
  ] as const) {
    const { code, stderr } = await viva([...args], { cwd: dir, env, stdin })
    expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringMatching(/ENOSPC[^]*set TMPDIR/) })
    expect(stderr).not.toContain('bug')
  }
  expect(existsSync(join(dir, 'o.jsonl'))).toBe(false)
  expect(readdirSync(disk)).toEqual(['rest'])
})

test('a killed run that was never reaped holds no lock', async () => {
  const dir = makeFolder({ 'cases.jsonl': manyCases(2) })
  const args = ['agent', 'test', '-i', 'cases.jsonl', '-n', 'exec:sleep 86425', '-o', 'o.jsonl']
  // The shell becomes another program and never waits for its child.
  const parent = spawn(
    '/bin/sh',
    ['-c', '"$@" >/dev/null 2>&1 & exec sleep 86426', 'sh', process.execPath, BIN, ...args],
    {
      cwd: dir,
      env: { PATH: process.env['PATH'], HOME: dir },
      stdio: 'ignore',
    },
  )
  onTestFinished(() => void parent.kill('SIGKILL'))
  const lock = join(dir, 'o.jsonl.lock')
  await until(() => existsSync(lock) && readFileSync(lock, 'utf8').endsWith('}'), 'the run has its lock')
  const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }
  const refused = await viva(['agent', 'test', '--resume', 'o.jsonl'], { cwd: dir })
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(`process ${pid}`),
  })
  process.kill(pid, 'SIGKILL')
  const state = (): string => execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  await until(() => state().startsWith('Z'), 'it is a zombie')
  const resumed = await viva(['agent', 'test', '--resume', 'o.jsonl', '-n', 'builtin:echo'], { cwd: dir })
  expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 })
  expect(state()).toMatch(/^Z/)
})
