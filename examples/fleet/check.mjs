// Two workers run the cases; the files for Compose and Kubernetes start the same commands.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

const here = fileURLToPath(new URL('.', import.meta.url))
const viva = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))

const [compose] = documents('compose.yaml')
const kubernetes = documents('kubernetes.yaml')
const commands = [
  ...Object.values(compose.services).map(({ command }) => command),
  ...kubernetes.flatMap(({ spec }) => spec.template?.spec.containers.map(({ args }) => args) ?? []),
]
for (const command of commands.filter(([name]) => name === 'redis-server')) assert.ok(command.includes('noeviction'))
for (const name of ['worker', 'test']) {
  const found = commands.filter((command) => command[0] === 'viva' && command[1] === name)
  assert.equal(found.length, 2)
  // Every flag is one that the command knows.
  const help = spawnSync(process.execPath, [viva, name, '--help']).stdout.toString()
  for (const flag of found.flat().filter((word) => word.startsWith('-'))) assert.ok(help.includes(flag), `${name} ${flag}`)
}

const redis = await findRedis()
if (redis) await runFleet(redis)

async function runFleet({ command, env }) {
  const dir = mkdtempSync(join(tmpdir(), 'viva-fleet-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const started = [spawn(command, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir], { env: { ...process.env, ...env }, stdio: 'ignore' })]
  const own = { ...process.env, VIVA_QUEUE_KEY: 'only for this example' }
  try {
    while (spawnSync(process.execPath, [viva, 'fleet', 'status', '--queue', url]).status !== 0);
    for (let at = 0; at < 2; at += 1)
      started.push(spawn(process.execPath, [viva, 'worker', '--queue', url], { cwd: here, env: own, stdio: 'ignore' }))
    const out = join(dir, 'results.jsonl')
    const run = spawnSync(process.execPath, [viva, 'test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs#run', '--queue', url, '-o', out], { cwd: here, env: own })
    assert.equal(run.status, 0, String(run.stderr))
    assert.equal(readFileSync(out, 'utf8').split('"status":"passed"').length - 1, 40)
  } finally {
    for (const child of started.reverse()) child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** On PATH; in a checkout of Viva also the one that its tests unpack. */
async function findRedis() {
  if (spawnSync('redis-server', ['--version']).status === 0) return { command: 'redis-server', env: {} }
  const checkout = await import('../../build/redis.mjs').catch(() => undefined)
  return checkout?.findRedis()
}

function documents(name) {
  return parseAllDocuments(readFileSync(join(here, name), 'utf8')).map((document) => document.toJS())
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
