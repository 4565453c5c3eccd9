// Real programs that misbehave, on every implementation that runs here. Nothing measures time: what counts is that no
// process is left.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aliveIn, createProcesses } from '../support/processes.js'
import { UserError } from '../../src/errors.js'
import { linux } from '../../src/process/platform/linux.js'
import { macos } from '../../src/process/platform/macos.js'
import type { Platform } from '../../src/process/platform/platform.js'
import { windows } from '../../src/process/platform/windows.js'
import { Processes } from '../../src/process/processes.js'
import { runProcess, type RunSpec } from '../../src/process/run-process.js'
import { CHANNEL_FD } from '../../src/process/channel-fd.js'

const agents = fileURLToPath(new URL('../fixtures/agents/', import.meta.url))
const onLinux = process.platform === 'linux'
/** The one for macOS needs only what every Unix has. */
const platforms: Platform[] = onLinux ? [linux, macos] : [macos]

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-process-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function alive(text: string): string[] {
  return aliveIn(folder, text)
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe.each(platforms)('$name', (platform) => {
  let processes: Processes
  beforeEach(() => {
    processes = createProcesses({ platform, cwd: folder })
  })
  afterEach(() => processes.close())

  function run(command: string, spec: Partial<RunSpec> = {}) {
    return runProcess(processes, { command: join(agents, command), ...spec })
  }

  function sh(script: string, spec: Partial<RunSpec> = {}) {
    return runProcess(processes, { command: '/bin/sh', args: ['-c', script], ...spec })
  }

  test('returns output, exit code and no leak for a program that behaves', async () => {
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

  test.runIf(onLinux)('ends a tree that ignores SIGTERM and names the one that left the group', async () => {
    const controller = new AbortController()
    const ready = join(folder, 'ready')
    const pending = run('forks.sh', { signal: controller.signal, graceMs: 50, env: { READY_FILE: ready } })
    await until(() => existsSync(ready) && alive('sleep 86403').length > 0)
    controller.abort()
    const result = await pending
    expect(result.leaked).toEqual([expect.stringContaining('sleep 86403')])
    for (const seconds of [86401, 86402, 86403]) expect(alive(`sleep ${seconds}`)).toEqual([])
  })

  test('ends what has left group and environment, as long as its parent lives', async () => {
    const controller = new AbortController()
    const far = `env -i setsid sh -c 'sleep 86421 & wait' >/dev/null 2>&1 </dev/null & wait`
    const pending = sh(far, { signal: controller.signal, graceMs: 50 })
    await until(() => alive('sleep 86421').includes('sleep 86421'))
    controller.abort()
    expect((await pending).leaked).toEqual(expect.arrayContaining(['sleep 86421']))
    expect(alive('sleep 86421')).toEqual([])
  })

  test('does not wait for a grandchild that holds standard output', async () => {
    const result = await run('holds-stdout.sh')
    expect(result).toMatchObject({ stdout: 'answer\n', exit_code: 0, leaked: [expect.stringContaining('sleep 86405')] })
    expect(alive('sleep 86405')).toEqual([])
  })

  test('a program that calls itself our watcher is found all the same', async () => {
    const result = await sh(`(sh -c 'sleep 86414; :' sh viva-deadman x >/dev/null 2>&1 </dev/null &)`)
    expect(alive('86414')).toEqual([])
    expect(result.exit_code).toBe(0)
  })

  test('a program that does not read its input is not an error', async () => {
    const result = await run('no-read.sh', { stdin: 'x'.repeat(1024 * 1024) })
    expect(result).toMatchObject({ stdout: 'did not listen\n', exit_code: 0 })
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
    const result = await run('', { command: process.execPath, args: [join(agents, 'arguments.mjs'), ...args] })
    expect(JSON.parse(result.stdout)).toEqual({ content: { argv: args, input: '' } })
  })

  test('a channel carries both ways, ends with the program, and programs without one get no descriptor for it', async () => {
    const running = await processes.start({
      command: '/bin/sh',
      args: ['-c', `read line <&${CHANNEL_FD}; echo "heard $line" >&${CHANNEL_FD}; exec sleep 86415 ${CHANNEL_FD}<&-`],
      channel: true,
    })
    let heard = ''
    running.channel?.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    running.channel?.write('you\n')
    if (running.channel) await once(running.channel, 'end')
    expect(heard).toBe('heard you\n')
    running.kill()
    expect(await running.done).toMatchObject({ signal: 'SIGKILL', ended: true, leaked: [] })
    expect(alive('86415')).toEqual([])
    const without = await sh(`( echo x >&${CHANNEL_FD} ) 2>/dev/null || echo closed`)
    expect(without.stdout).toBe('closed\n')
  })

  test('everything dies with Viva, even when Viva is killed', async () => {
    const parent = await startParent('trap "" TERM; sleep 86407 & sleep 86407', platform)
    await until(() => alive('sleep 86407').length >= 2)
    parent.kill('SIGKILL')
    await until(() => alive('86407').length === 0)
  })

  test('everything dies with a Viva that is killed while it is stopped', async () => {
    const parent = await startParent('sleep 86416', platform)
    await until(() => alive('sleep 86416').length > 0)
    parent.kill('SIGUSR2')
    await until(() => stateOf(parent.pid ?? 0).startsWith('T'))
    parent.kill('SIGKILL')
    await until(() => alive('86416').length === 0)
  })

  test('killAll ends everything at once', async () => {
    const pending = sh('sleep 86411 & trap "" TERM; sleep 86412; sleep 86412')
    await until(() => alive('sleep 86411').length > 0 && alive('sleep 86412').length > 0)
    processes.killAll()
    expect(await pending).toMatchObject({ signal: 'SIGKILL' })
    await until(() => alive('8641').length === 0)
  })

  test('ending one run leaves the programs of another alone', async () => {
    const other = createProcesses({ platform, cwd: folder })
    const ours = sh('exec sleep 86417')
    const theirs = runProcess(other, { command: '/bin/sh', args: ['-c', 'exec sleep 86418'] })
    await until(() => alive('sleep 86417').length > 0 && alive('sleep 86418').length > 0)
    await processes.close()
    expect(await ours).toMatchObject({ signal: 'SIGKILL' })
    expect(alive('sleep 86417')).toEqual([])
    expect(alive('sleep 86418')).not.toEqual([])
    other.killAll()
    expect(await theirs).toMatchObject({ signal: 'SIGKILL' })
  })

  test('not even the watcher is alive when a program is done, however long the system takes to kill it', async () => {
    const slow: Platform = {
      ...platform,
      signal: (id, name) => {
        if (name !== 'SIGKILL') return platform.signal(id, name)
        setTimeout(() => platform.signal(id, name), 50)
        return true
      },
    }
    processes = createProcesses({ platform: slow, cwd: folder })
    // The watcher is stopped, or it would end on its own as soon as we let go of its pipe.
    const stop = `ps -A -ww -o pid= -o args= | grep '[v]iva-deadman' | grep 86419 | while read p _; do kill -STOP $p; done`
    const result = await sh(stop)
    expect(alive('86419')).toEqual([])
    expect(result).toMatchObject({ exit_code: 0, leaked: [] })
  })

  test('the end of a run waits for what is just being started', async () => {
    const late: number[] = []
    for (let turns = 0; turns < 40; turns++) {
      const ending = createProcesses({ platform, cwd: folder })
      let over = false
      const start = ending.start({ command: '/bin/sh', args: ['-c', 'exec sleep 86420'] }).then(
        () => over && late.push(turns),
        () => {},
      )
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await ending.close()
      over = true
      await start
    }
    expect(late).toEqual([])
    expect(alive('86420')).toEqual([])
  })

  test('nothing is started once the run has ended', async () => {
    await processes.close()
    await expect(run('echo.sh')).rejects.toThrow('after the end of the run')
  })

  test('a stopped program continues when told to', async () => {
    const pending = run('waits-for-go.sh')
    const running = join(folder, 'running')
    await until(() => existsSync(running) && readFileSync(running, 'utf8').endsWith('\n'))
    const pid = readFileSync(running, 'utf8').trim()
    processes.pause()
    // D: a shell that has just forked waits for its stopped child.
    await until(() => /^[TD]/.test(stateOf(pid)))
    processes.resume()
    writeFileSync(join(folder, 'go'), '')
    expect(await pending).toMatchObject({ stdout: 'went\n' })
  })

  test('a process is running until it is dead or waits to be reaped, and an id alone is not a process', async () => {
    const child = spawn('sleep', ['86419'], { stdio: 'ignore' })
    const pid = child.pid ?? 0
    const started = platform.startTime(pid)
    expect(started).toBeDefined()
    expect([platform.isRunning(pid, started), platform.isRunning(pid, undefined)]).toEqual([true, true])
    expect(platform.isRunning(pid, 'another time')).toBe(false)
    const zombie = await startZombie()
    try {
      expect(process.kill(zombie.pid, 0)).toBe(true)
      expect(platform.isRunning(zombie.pid, undefined)).toBe(false)
    } finally {
      zombie.reap()
    }
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(platform.isRunning(pid, started)).toBe(false)
    expect(platform.startTime(pid)).toBeUndefined()
  })

  test('the limit of open files is known', () => {
    const limit = Number(execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
    const before = platform.openFiles()
    expect(before?.limit).toBe(limit)
    const files = Array.from({ length: 20 }, () => openSync(folder, 'r'))
    const after = platform.openFiles()
    for (const file of files) closeSync(file)
    expect((after?.open ?? 0) - (before?.open ?? 0)).toBeGreaterThanOrEqual(10)
  })
})

/** A process whose parent does not wait for it. */
async function startZombie(): Promise<{ pid: number; reap(): void }> {
  // The shell is another program before it could wait for its child.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 86420'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: folder,
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  await until(() => stateOf(pid).startsWith('Z'))
  return { pid, reap: () => void parent.kill('SIGKILL') }
}

function stateOf(pid: number | string): string {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
}

/** A second Viva, in a process of its own, that runs this command. SIGUSR2 stops its programs and itself. */
async function startParent(command: string, platform: Platform) {
  const script = join(folder, 'parent.mts')
  const bundle = join(folder, 'parent.mjs')
  const source = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../src/process/${name}`, import.meta.url)))
  writeFileSync(
    script,
    `import { Processes } from ${source('processes.ts')}
     import { ${platform === linux ? 'linux' : 'macos'} as platform } from ${source(platform === linux ? 'platform/linux.ts' : 'platform/macos.ts')}
     const processes = new Processes({ env: process.env, cwd: process.cwd(), platform })
     process.on('SIGUSR2', () => { processes.pause(); process.kill(process.pid, 'SIGSTOP') })
     await processes.start({ command: '/bin/sh', args: ['-c', ${JSON.stringify(command)}] })`,
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
  return spawn(process.execPath, [bundle], { stdio: 'ignore', cwd: folder })
}

describe.runIf(onLinux)('what only markers find', () => {
  test('a daemon in a session of its own', async () => {
    const result = await runProcess(createProcesses(), { command: join(agents, 'daemon.sh'), cwd: folder })
    expect(result).toMatchObject({ stdout: 'answer\n', leaked: [expect.stringContaining('sleep 86404')] })
    expect(alive('sleep 86404')).toEqual([])
  })

  test('one that names itself as our watcher and leaves the group', async () => {
    const script = `setsid sh -c 'sleep 86421; :' sh viva-deadman x >/dev/null 2>&1 </dev/null &`
    await runProcess(createProcesses(), { command: '/bin/sh', args: ['-c', script], cwd: folder })
    expect(alive('86421')).toEqual([])
  })

  test('what killAll must end outside the group', async () => {
    const processes = createProcesses({ cwd: folder })
    const pending = runProcess(processes, {
      command: '/bin/sh',
      args: ['-c', 'setsid sleep 86422 & trap "" TERM; sleep 86423'],
    })
    await until(() => alive('sleep 86422').length > 0 && alive('sleep 86423').length > 0)
    processes.killAll()
    await pending
    await until(() => alive('sleep 86422').length === 0)
  })

  test('what had left the group of a killed Viva, and nothing else', async () => {
    const parent = await startParent('setsid sleep 86409 & sleep 86410', linux)
    await until(() => alive('sleep 86410').length > 0 && alive('sleep 86409').length > 0)
    // Its owner lives: it stays.
    expect(linux.orphans().filter(({ command }) => command.includes('86409'))).toEqual([])
    await runProcess(createProcesses(), { command: 'true' })
    expect(alive('sleep 86409')).not.toEqual([])
    const ended = once(parent, 'exit')
    parent.kill('SIGKILL')
    await ended
    await until(() => alive('sleep 86410').length === 0)
    await runProcess(createProcesses(), { command: 'true' })
    await until(() => alive('sleep 86409').length === 0)
  })
})

test.runIf(onLinux)('when memory runs out the system ends a program before Viva', async () => {
  const read = (file: string) => Number(readFileSync(file, 'utf8'))
  const { stdout } = await runProcess(createProcesses(), { command: 'cat', args: ['/proc/self/oom_score_adj'] })
  expect(Number(stdout)).toBe(Math.min(1000, read('/proc/self/oom_score_adj') + 500))
})

describe('whatever the system', () => {
  const processes = createProcesses()
  const run = (command: string, spec: Partial<RunSpec> = {}) =>
    runProcess(processes, { command: join(agents, command), cwd: folder, ...spec })

  test('bytes that are not UTF-8 come as base64', async () => {
    const result = await run('garbage.sh')
    expect(result.stdout_encoding).toBe('base64')
    expect(Buffer.from(result.stdout, 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]))
  })

  test('all of an answer is read, however busy we are when the program exits', async () => {
    const block = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    const tree = processes.openTree()
    const sh = (script: string) => processes.start({ command: '/bin/sh', args: ['-c', script], cwd: folder, tree })
    const slow = await sh('sleep 0.6; echo answer')
    const quick = await sh('echo first')
    let answer = ''
    slow.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    // The slow one ends while we read the quick one, and its end is seen together with that one's: before its output.
    quick.stdout.on('data', () => {
      block(1000)
      setImmediate(() => block(500))
    })
    block(300)
    await Promise.all([quick.done, slow.done])
    await processes.closeTree(tree)
    expect(answer).toBe('answer\n')
  })

  test('stops a flood at the limit', async () => {
    const result = await run('', {
      command: process.execPath,
      args: [join(agents, 'huge.mjs')],
      env: { AGENT_MB: '700' },
      maxOutputBytes: 1024 * 1024,
    })
    expect(result.too_large).toBe(true)
    expect(result.stdout.length).toBe(1024 * 1024)
  })

  test('hands over only the allowed environment, and what was asked for', async () => {
    const env = { ...process.env, CANARY_TOKEN: 'canary', GIT_DIR: '/nowhere', NODE_OPTIONS_X: 'x', npm_config_x: 'x' }
    const spec = { command: join(agents, 'env.sh'), cwd: folder }
    const plain = await runProcess(createProcesses({ env }), { ...spec, env: { EXTRA: 'yes' } })
    expect(plain.stdout).not.toMatch(/CANARY_TOKEN|GIT_DIR|NODE_OPTIONS|npm_/)
    expect(plain.stdout).toMatch(/^PATH=/m)
    expect(plain.stdout).toMatch(/^EXTRA=yes$/m)
    const asked = await runProcess(createProcesses({ env }), { ...spec, passEnv: ['CANARY_TOKEN'] })
    expect(asked.stdout).toMatch(/^CANARY_TOKEN=canary$/m)
  })

  test("an agent's git never acts on the repository around it", async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    git('init', '-q', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'outer')
    const head = git('rev-parse', 'HEAD')
    const inner = join(folder, 'inner')
    mkdirSync(inner)
    const env = { ...process.env, GIT_DIR: join(folder, '.git') }
    const result = await runProcess(createProcesses({ env }), { command: join(agents, 'git.sh'), cwd: inner })
    expect(result).toMatchObject({ stdout: 'committed\n', exit_code: 0 })
    expect(git('rev-parse', 'HEAD')).toBe(head)
    expect(existsSync(join(inner, '.git'))).toBe(true)
  })

  test('a missing program, and one that is not executable, are named before anything starts', async () => {
    await expect(run('nothing.sh')).rejects.toThrow(UserError)
    await expect(run('nothing.sh')).rejects.toThrow(/nothing\.sh does not exist/)
    await expect(run('huge.mjs')).rejects.toThrow(/is not executable/)
    await expect(run('', { command: 'no-such-command-at-all' })).rejects.toThrow(/not on PATH/)
    await expect(run('huge.mjs')).rejects.toMatchObject({ hint: expect.stringContaining('interpreter, e.g. node ') })
  })

  test('a missing folder and arguments that are too long are plain errors', async () => {
    const gone = join(folder, 'gone')
    await expect(run('echo.sh', { cwd: gone })).rejects.toThrow(`in ${gone}: the folder does not exist`)
    const long = run('echo.sh', { args: ['x'.repeat(4 * 1024 * 1024)] })
    await expect(long).rejects.toThrow('its arguments are too long for the system (E2BIG)')
  })

  test('where descriptors are few, programs wait for each other, and that is said once', async () => {
    const warnings: string[] = []
    const few = createProcesses({
      platform: { ...(onLinux ? linux : macos), openFiles: () => ({ limit: 36, open: 20 }) },
      warn: (text) => warnings.push(text),
    })
    // Room for two at once; each says how many it saw.
    const script = 'mkdir "run.$$"; ls -d run.* | wc -l; sleep 0.05; rmdir "run.$$"'
    const all = Array.from({ length: 9 }, () =>
      runProcess(few, { command: '/bin/sh', args: ['-c', script], cwd: folder }),
    )
    const counts = (await Promise.all(all)).map(({ stdout }) => Number(stdout))
    expect(counts).toHaveLength(9)
    expect(Math.max(...counts)).toBeLessThanOrEqual(2)
    expect(warnings).toEqual([expect.stringContaining('36 open files are allowed, enough for 2 programs at a time')])
  })

  test('one that times out waiting for others to end gets an error, and the next in line is not forgotten', async () => {
    const few = createProcesses({
      platform: { ...(onLinux ? linux : macos), openFiles: () => ({ limit: 28, open: 20 }) },
    })
    const first = await few.start({ command: 'sleep', args: ['86424'], cwd: folder })
    const controller = new AbortController()
    const second = few.start({ command: 'true', signal: controller.signal })
    const third = runProcess(few, { command: 'true', cwd: folder })
    controller.abort()
    await expect(second).rejects.toThrow('timed out waiting for others to end (the open file limit allows 1 at a time)')
    first.kill()
    expect(await third).toMatchObject({ exit_code: 0 })
  })
})

test('with a full table of descriptors a program waits, and is refused by name when nothing gets better', async () => {
  const script = join(folder, 'starved.mts')
  const bundle = join(folder, 'starved.mjs')
  writeFileSync(
    script,
    `import { openSync, closeSync } from 'node:fs'
     import { Processes } from ${JSON.stringify(fileURLToPath(new URL('../../src/process/processes.ts', import.meta.url)))}
     import { runProcess } from ${JSON.stringify(fileURLToPath(new URL('../../src/process/run-process.ts', import.meta.url)))}
     const processes = new Processes({ env: process.env, cwd: process.cwd() })
     const echo = () => runProcess(processes, { command: 'echo', args: ['hi'] })
     await echo()
     const open = []
     const fill = () => { try { for (;;) open.push(openSync('/dev/null')) } catch {} }
     fill()
     const waiting = echo()
     setTimeout(() => { for (const fd of open.splice(0)) closeSync(fd) }, 300)
     console.log((await waiting).stdout.trim())
     fill()
     await echo().catch((error) => { for (const fd of open.splice(0)) closeSync(fd); console.log(error.code + ': ' + error.message) })`,
  )
  const { build } = await import('esbuild')
  await build({ entryPoints: [script], bundle: true, platform: 'node', format: 'esm', outfile: bundle })
  const out = execFileSync('/bin/sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, bundle], {
    encoding: 'utf8',
    cwd: folder,
  })
  expect(out.split('\n')).toEqual([
    'hi',
    `CANNOT_START: cannot start "echo" in ${folder}: this process has too many open files (EMFILE)`,
    '',
  ])
})

test.runIf(onLinux)(
  'a program for whose watcher there is no process left is not run, and that is reported',
  async () => {
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups', 'bash'] : ['bash']
    const starved: Platform = {
      ...linux,
      command(launch) {
        const { file, args } = linux.command(launch)
        const [shell = '', ...rest] = [...asUser, '-c', 'ulimit -u 1; exec "$@"', 'bash', file, ...args]
        return { file: `/usr/bin/${shell}`, args: rest }
      },
    }
    const processes = createProcesses({ platform: starved })
    for (const channel of [false, true]) {
      const run = runProcess(processes, { command: 'echo', args: ['hi'], cwd: '/', channel })
      await expect(run).rejects.toThrow('cannot start "echo" in /: the system allows no more processes (EAGAIN)')
    }
  },
)

test('on Windows no third-party program is started, and the error says what to do instead', async () => {
  const processes = createProcesses({ platform: windows })
  expect(() => processes.requireSupport('exec agents')).toThrow(/^exec agents cannot run on Windows: /)
  const error: unknown = await processes.start({ command: 'node' }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  expect(error).toMatchObject({
    code: 'NOT_ON_THIS_SYSTEM',
    exitCode: 2,
    hint: expect.stringContaining('WSL') as string,
  })
  expect(windows.isRunning(process.pid, undefined)).toBe(true)
})

test('on Windows our own processes run without a shell, and are ended one by one', async () => {
  const processes = createProcesses({ platform: windows, cwd: folder })
  const program = `const s = new (require('node:net').Socket)({ fd: ${CHANNEL_FD} }); s.on('data', (d) => s.write('heard ' + d))`
  const start = () => processes.start({ command: process.execPath, args: ['-e', program], channel: true, own: true })
  const first = await start()
  first.channel?.write('you')
  const [heard] = first.channel ? ((await once(first.channel, 'data')) as [Buffer]) : []
  expect(heard?.toString()).toBe('heard you')
  processes.pause()
  processes.resume()
  first.kill()
  expect(await first.done).toMatchObject({ signal: 'SIGKILL', leaked: [], ended: true })
  const second = await start()
  await processes.close()
  expect(await second.done).toMatchObject({ signal: 'SIGKILL' })
  expect(alive('heard ')).toEqual([])
  const third = createProcesses({ platform: windows, cwd: folder })
  const running = await third.start({ command: process.execPath, args: ['-e', program], channel: true, own: true })
  third.killAll()
  expect(await running.done).toMatchObject({ signal: 'SIGKILL' })
})
