// Beginning and end of a server: what it prints, what it starts, and what is left when it is gone.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, makeFolder, viva } from '../support/run-cli.js'
import { isAlive } from '../support/processes.js'
import { onLinux } from '../support/systems.js'
import { connect, ONE_ITERATION, serverEnv } from './support.js'

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** A program that notes its process and stays. */
const STAYS = '#!/bin/sh\necho "noise on standard output"\necho $$ >> "$PIDS"\nsleep 3600 & echo $! >> "$PIDS"\nwait\n'

test('only messages of the protocol are on standard output, whatever is printed', async () => {
  const project = makeFolder({
    'viva.config.mjs': `console.log('noise of the configuration')
process.stdout.write('more noise\\n')
export default {}
`,
  })
  const temporary = makeFolder()
  const lines = [
    INITIALIZE,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'test_setup', arguments: { workspace_id: 'a' } } },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'test_inspect', arguments: { workspace_id: 'a' } } },
  ]
  const raw = startRaw(['mcp', '--project', project], temporary)
  for (const line of lines) raw.send(line)
  await raw.saw('"id":2')
  await raw.saw('"id":3')
  raw.end()
  const { code, stdout, stderr } = await raw.done
  expect(code).toBe(0)
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number })
  expect(new Set(messages.map(({ id }) => id))).toEqual(new Set([1, 2, 3]))
  expect(messages.length).toBe(3)
  expect(stderr).toContain('noise of the configuration')
  expect(stderr).toContain('more noise')
})

test('broken messages are survived', async () => {
  const raw = startRaw(['mcp', '--project', makeFolder()], makeFolder())
  raw.write('not json\n{"jsonrpc":"2.0"}\n[]\n\n{"jsonrpc":"2.0","id":9,"method":"no/such"}\n')
  raw.send(INITIALIZE)
  await raw.saw('"id":1')
  raw.end()
  const { code, stdout } = await raw.done
  expect(code).toBe(0)
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
})

test('a message too long to be read ends the server instead of leaving it deaf', async () => {
  const raw = startRaw(['mcp', '--project', makeFolder()], makeFolder())
  raw.send(INITIALIZE)
  await raw.saw('"id":1')
  raw.write(`{"jsonrpc":"2.0","id":2,"method":"ping","x":"${'x'.repeat(11 * 1024 * 1024)}`)
  const { code, stderr } = await raw.done
  expect(code).toBe(0)
  expect(stderr).toMatch(/warning: .*(size|buffer|large)/i)
})

onLinux.each(['end of input', 'SIGTERM', 'SIGKILL'])('%s ends everything that was started', async (how) => {
  const project = makeFolder({ 'stays.sh': STAYS })
  chmodSync(join(project, 'stays.sh'), 0o755)
  const temporary = makeFolder()
  const pids = join(temporary, 'pids')
  writeFileSync(pids, '')
  const raw = startRaw(['mcp', '--project', project, '--allow-live'], temporary)
  raw.send(INITIALIZE)
  raw.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const config = { cli: { backend: 'custom', command: join(project, 'stays.sh') } }
  raw.send(toolCall(2, 'test_setup', { workspace_id: 'w', config }))
  await raw.saw('"id":2')
  raw.send(toolCall(3, 'test_run', { workspace_id: 'w', task: 'x', backend: 'custom', env: { PIDS: pids } }))
  const started = (): number[] => readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number)
  await until(() => started().length === 2 || raw.text().includes('"id":3'))
  expect(raw.text()).not.toContain('"id":3')
  if (how === 'end of input') raw.end()
  else raw.process.kill(how as NodeJS.Signals)
  await raw.done
  await until(() => !started().some(isAlive))
})

onLinux('the next server sweeps what is stale and ours, and nothing else', async () => {
  const temporary = makeFolder()
  const first = await connect('stdio', { temporary })
  const old = await first.call('test_setup', { workspace_id: 'old' })
  const fresh = await first.call('test_setup', { workspace_id: 'fresh' })
  process.kill(first.pid, 'SIGKILL')
  const root = join(temporary, readdirSync(temporary).find((name) => name.startsWith('viva-workspaces')) ?? '')
  const lookAlike = join(root, 'folders', 'old-abcdef')
  mkdirSync(lookAlike)
  const longAgo = new Date(Date.UTC(2020, 0))
  utimesSync(lookAlike, longAgo, longAgo)
  utimesSync(join(root, 'registry', 'old.json'), longAgo, longAgo)
  await until(() => !isAlive(first.pid))
  const second = await connect('stdio', { temporary, project: first.project })
  expect((await second.call('test_cleanup', { workspace_id: 'old' })).text).toContain('no workspace called "old"')
  expect(existsSync(old.value['workspace_path'] as string)).toBe(false)
  expect(existsSync(fresh.value['workspace_path'] as string)).toBe(true)
  expect(existsSync(lookAlike)).toBe(true)
  expect((await second.call('test_run', { workspace_id: 'fresh', ...ONE_ITERATION })).isError).toBe(false)
})

test('50 workspaces side by side in one server, each with its own session and verdict', async () => {
  const { call } = await connect('stdio')
  const ids = Array.from({ length: 50 }, (_, index) => `w${index}`)
  await Promise.all(
    ids.map((workspace_id) => call('test_setup', { workspace_id, fixtures: { 'name.txt': workspace_id } })),
  )
  const runs = await Promise.all(
    ids.map((workspace_id, index) =>
      call('test_run', {
        workspace_id,
        ...ONE_ITERATION,
        mock_responses: [
          {
            output:
              index % 2 === 0 ? `<event topic="topic.of.${workspace_id}">x</event>` : `LOOP_COMPLETE ${workspace_id}`,
          },
        ],
      }),
    ),
  )
  const seen = await Promise.all(ids.map((workspace_id) => call('test_inspect', { workspace_id, format: 'summary' })))
  for (const [index, id] of ids.entries()) {
    expect(runs[index]?.value['stdout'], id).toContain(id)
    const topics = Object.keys((seen[index]?.value['by_topic'] ?? {}) as object).filter((topic) =>
      topic.includes('.of.'),
    )
    expect(topics, id).toEqual(index % 2 === 0 ? [`topic.of.${id}`] : [])
  }
  expect(new Set(runs.map(({ value }) => value['run_id'] as string)).size).toBe(50)
})

test('two servers on one registry lose nothing of each other', async () => {
  const temporary = makeFolder()
  const project = makeFolder()
  const one = await connect('stdio', { temporary, project })
  const two = await connect('http', { temporary, project })
  const servers = [one, two]
  const ids = Array.from({ length: 20 }, (_, index) => `w${index}`)
  await Promise.all(
    ids.map((workspace_id, index) => (index % 2 === 0 ? one : two).call('test_setup', { workspace_id })),
  )
  // Each is run in by the other server.
  const runs = await Promise.all(
    ids.map((workspace_id, index) =>
      (index % 2 === 0 ? two : one).call('test_run', { workspace_id, ...ONE_ITERATION }),
    ),
  )
  expect(runs.map((run) => run.value['exit_code'] as number)).toEqual(ids.map(() => 2))
  const both = await Promise.all(servers.map(({ call }) => call('test_setup', { workspace_id: 'same' })))
  expect(both.filter(({ isError }) => isError).length).toBe(1)
  const removed = await Promise.all(
    ids.flatMap((workspace_id) => servers.map(({ call }) => call('test_cleanup', { workspace_id }))),
  )
  expect(removed.filter(({ value }) => value['deleted'] === true).length).toBe(20)
})

test.each([
  [['--project', 'nowhere'], /--project: no such folder/],
  [['--answer-within', '2m'], /--answer-within: must be at most 45s/],
  [['--answer-within', 'soon'], /--answer-within/],
  [['--http', '--port', '70000'], /--port: expected a whole number from 0 to 65535/],
  [['--htp'], /unknown option/],
])('a mistake in the flags ends it at once: %j', async (args, message) => {
  const { code, stdout, stderr } = await viva(['mcp', ...args], { cwd: makeFolder() })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})

function toolCall(id: number, name: string, args: object): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function startRaw(args: string[], temporary: string) {
  const child = spawn(process.execPath, [BIN, ...args], { env: serverEnv(temporary), cwd: temporary, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  const done = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  const write = (text: string): void => void child.stdin.write(text)
  return {
    process: child,
    done,
    write,
    send: (message: object) => write(`${JSON.stringify(message)}\n`),
    end: () => child.stdin.end(),
    text: () => stdout,
    saw: (text: string) => until(() => stdout.includes(text)),
  }
}
