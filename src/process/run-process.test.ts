// Real programs that misbehave. Nothing here measures time: what counts is that no process is left.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UserError } from '../errors.js'
import { sweepOrphans } from './registry.js'
import { killAll, runProcess, signalAll, type RunSpec } from './run-process.js'
import { CHANNEL_FD, startProcess } from './start-process.js'

const agents = fileURLToPath(new URL('../../test/fixtures/agents/', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'viva-process-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, spec: Partial<RunSpec> = {}) {
  return runProcess({ command: join(agents, command), cwd: folder, ...spec })
}

/** Processes of which the command line has this text. The seconds of each fixture's `sleep` are its own. */
function alive(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(text) && !line.trimStart().startsWith('Z'))
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

test('gives output, exit code and no leak for a program that behaves', async () => {
  const result = await run('echo.sh', { stdin: 'hello é👍' })
  expect(result).toMatchObject({ stdout: 'hello é👍', exit_code: 0, signal: null, leaked: [], too_large: false })
})

test('keeps exit code and the end of standard error', async () => {
  expect(await run('fails.sh')).toMatchObject({
    exit_code: 7,
    stdout: 'half an answer\n',
    stderr: 'the model file is missing\n',
  })
})

test('tells death by a signal from an exit', async () => {
  expect(await run('self-kill.sh')).toMatchObject({ exit_code: null, signal: 'SIGKILL', aborted: false })
})

test('ends a program that never answers when the signal aborts', async () => {
  const controller = new AbortController()
  const pending = run('hang.sh', { signal: controller.signal })
  await until(() => alive('sleep 86400').length > 0)
  controller.abort()
  expect(await pending).toMatchObject({ aborted: true, signal: 'SIGTERM', leaked: [] })
  expect(alive('sleep 86400')).toEqual([])
})

test('ends a tree that ignores SIGTERM and names the one that left the group', async () => {
  const controller = new AbortController()
  const ready = join(folder, 'ready')
  const pending = run('forks.sh', { signal: controller.signal, graceMs: 50, env: { READY_FILE: ready } })
  await until(() => existsSync(ready) && alive('sleep 86403').length > 0)
  controller.abort()
  const result = await pending
  expect(result.leaked).toEqual([expect.stringContaining('sleep 86403')])
  for (const seconds of [86401, 86402, 86403]) expect(alive(`sleep ${seconds}`)).toEqual([])
})

test('does not wait for a grandchild that holds standard output', async () => {
  const result = await run('holds-stdout.sh')
  expect(result).toMatchObject({ stdout: 'answer\n', exit_code: 0, leaked: [expect.stringContaining('sleep 86405')] })
  expect(alive('sleep 86405')).toEqual([])
})

test('finds and ends a daemon in a session of its own', async () => {
  const result = await run('daemon.sh')
  expect(result).toMatchObject({ stdout: 'answer\n', leaked: [expect.stringContaining('sleep 86404')] })
  expect(alive('sleep 86404')).toEqual([])
})

test('a program that does not read its input is no error', async () => {
  const result = await run('no-read.sh', { stdin: 'x'.repeat(1024 * 1024) })
  expect(result).toMatchObject({ stdout: 'did not listen\n', exit_code: 0 })
})

test('bytes that are no UTF-8 come as base64', async () => {
  const result = await run('garbage.sh')
  expect(result.stdout_encoding).toBe('base64')
  expect(Buffer.from(result.stdout, 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]))
})

test('stops a flood at the limit', async () => {
  const result = await runProcess({
    command: process.execPath,
    args: [join(agents, 'huge.mjs')],
    cwd: folder,
    env: { AGENT_MB: '700' },
    maxOutputBytes: 1024 * 1024,
  })
  expect(result.too_large).toBe(true)
  expect(result.stdout.length).toBe(1024 * 1024)
})

test('hands over only the allowed environment, and what was asked for', async () => {
  Object.assign(process.env, { CANARY_TOKEN: 'canary', GIT_DIR: '/nowhere', NODE_OPTIONS_X: 'x', npm_config_x: 'x' })
  try {
    const plain = await run('env.sh', { env: { EXTRA: 'yes' } })
    expect(plain.stdout).not.toMatch(/CANARY_TOKEN|GIT_DIR|NODE_OPTIONS|npm_/)
    expect(plain.stdout).toMatch(/^PATH=/m)
    expect(plain.stdout).toMatch(/^EXTRA=yes$/m)
    const asked = await run('env.sh', { passEnv: ['CANARY_TOKEN'] })
    expect(asked.stdout).toMatch(/^CANARY_TOKEN=canary$/m)
  } finally {
    for (const name of ['CANARY_TOKEN', 'GIT_DIR', 'NODE_OPTIONS_X', 'npm_config_x']) delete process.env[name]
  }
})

test("an agent's git never acts on the repository around it", async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '-q', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'outer')
  const head = git('rev-parse', 'HEAD')
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  process.env['GIT_DIR'] = join(folder, '.git')
  try {
    expect(await run('git.sh', { cwd: inner })).toMatchObject({ stdout: 'committed\n', exit_code: 0 })
  } finally {
    delete process.env['GIT_DIR']
  }
  expect(git('rev-parse', 'HEAD')).toBe(head)
  expect(existsSync(join(inner, '.git'))).toBe(true)
})

test('a program killed before it writes leaves no late file', async () => {
  const controller = new AbortController()
  const pending = run('late.sh', { signal: controller.signal })
  await until(() => alive('sleep 86406').length > 0)
  controller.abort()
  await pending
  expect(alive('sleep 86406')).toEqual([])
  expect(existsSync(join(folder, 'late-write.txt'))).toBe(false)
})

test('arguments arrive verbatim: no shell sees them', async () => {
  const args = ['$(touch canary)', '; rm x', '`id`', '--help', 'a  b', "it's", '']
  const result = await runProcess({ command: process.execPath, args: [join(agents, 'arguments.mjs'), ...args] })
  expect(JSON.parse(result.stdout)).toEqual({ content: { argv: args, input: '' } })
})

test('a missing program, and one that is not executable, are named before anything starts', async () => {
  await expect(run('nothing.sh')).rejects.toThrow(UserError)
  await expect(run('nothing.sh')).rejects.toThrow(/nothing\.sh does not exist/)
  await expect(run('huge.mjs')).rejects.toThrow(/is not executable/)
  await expect(runProcess({ command: 'no-such-command-at-all' })).rejects.toThrow(/no folder of PATH/)
})

test('a missing working directory is a plain error', async () => {
  await expect(run('echo.sh', { cwd: join(folder, 'gone') })).rejects.toThrow(/cannot start/)
})

/** A second Viva, in a process of its own, that runs this command. */
async function startParent(command: string) {
  const script = join(folder, 'parent.mts')
  const bundle = join(folder, 'parent.mjs')
  const entry = fileURLToPath(new URL('./run-process.ts', import.meta.url))
  writeFileSync(
    script,
    `import { runProcess } from ${JSON.stringify(entry)}
     void runProcess({ command: '/bin/sh', args: ['-c', ${JSON.stringify(command)}] })`,
  )
  const { build } = await import('esbuild')
  await build({
    entryPoints: [script],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
    logLevel: 'error',
  })
  return spawn(process.execPath, [bundle], { stdio: 'ignore' })
}

test('everything dies with Viva, even when Viva is killed', async () => {
  const parent = await startParent('trap "" TERM; sleep 86407 & sleep 86407')
  await until(() => alive('sleep 86407').length >= 2)
  parent.kill('SIGKILL')
  await until(() => alive('sleep 86407').length === 0)
})

test('what had left the group of a killed Viva is ended by the next one, and nothing else', async () => {
  const parent = await startParent('setsid sleep 86409 & sleep 86410')
  await until(() => alive('sleep 86410').length > 0 && alive('sleep 86409').length > 0)
  // Its owner lives: it stays.
  expect(sweepOrphans().filter((command) => command.includes('86409'))).toEqual([])
  expect(alive('sleep 86409')).not.toEqual([])
  const ended = once(parent, 'exit')
  parent.kill('SIGKILL')
  await ended
  await until(() => alive('sleep 86410').length === 0)
  // Any Viva on this machine may have been the next one.
  sweepOrphans()
  await until(() => alive('sleep 86409').length === 0)
})

test('killAll ends everything at once', async () => {
  const pending = runProcess({
    command: '/bin/sh',
    args: ['-c', 'setsid sleep 86411 & trap "" TERM; sleep 86412; sleep 86412'],
  })
  await until(() => alive('sleep 86411').length > 0 && alive('sleep 86412').length > 0)
  killAll()
  expect(await pending).toMatchObject({ signal: 'SIGKILL' })
  await until(() => alive('sleep 86411').length === 0)
  expect(alive('sleep 86412')).toEqual([])
})

test('a stopped agent goes on when it is told to', async () => {
  const pending = runProcess({ command: join(agents, 'echo.sh'), cwd: folder, stdin: 'x' })
  signalAll('SIGSTOP')
  signalAll('SIGCONT')
  expect(await pending).toMatchObject({ stdout: 'x' })
})

test('a channel carries both ways, ends with the program, and programs without one get no descriptor for it', async () => {
  const program = `const s = new (require('node:net').Socket)({ fd: ${CHANNEL_FD} }); s.on('data', (d) => s.end('heard ' + d))`
  const running = startProcess({ command: process.execPath, args: ['-e', program], cwd: folder, channel: true })
  let heard = ''
  running.channel?.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  running.channel?.write('you')
  if (running.channel) await once(running.channel, 'end')
  expect(heard).toBe('heard you')
  expect(await running.done).toMatchObject({ exitCode: 0, leaked: [] })
  const without = await runProcess({
    command: '/bin/sh',
    args: ['-c', `( echo x >&${CHANNEL_FD} ) 2>/dev/null || echo closed`],
    cwd: folder,
  })
  expect(without.stdout).toBe('closed\n')
})
