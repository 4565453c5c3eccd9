// Every command of the files for Compose and Kubernetes runs as written there, as plain processes: only addresses and folders are filled in.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

const here = fileURLToPath(new URL('.', import.meta.url))
const viva = fileURLToPath(new URL('../../bin/viva.js', import.meta.url))

const [compose] = documents('compose.yaml')
const kubernetes = documents('kubernetes.yaml')
const pods = kubernetes.flatMap(({ spec }) => spec.template?.spec ?? [])
const stacks = [
  {
    name: 'compose.yaml',
    redis: compose.services.redis.command,
    ready: compose.services.redis.healthcheck.test.slice(1),
    worker: compose.services.worker.command,
    wait: undefined,
    test: compose.services.test.command,
    env: { ...compose.services.worker.environment, ...compose.services.test.environment },
  },
  {
    name: 'kubernetes.yaml',
    redis: container('redis').args,
    ready: container('redis').readinessProbe.exec.command,
    worker: container('worker').args,
    wait: pods.flatMap(({ initContainers = [] }) => initContainers)[0].args,
    test: container('test').args,
    env: Object.fromEntries(container('worker').env.map(({ name }) => [name, ''])),
  },
]
// What the image copies is here (but the tarball, which is packed first), and what it installs is what a fleet needs.
const dockerfile = readFileSync(join(here, 'Dockerfile'), 'utf8')
const copied = [...dockerfile.matchAll(/^COPY (\S+) /gm)].map(([, from]) => from)
assert.deepEqual(copied, ['viva-*.tgz', 'agent.mjs', 'tests'])
for (const from of ['agent.mjs', 'tests/cases.jsonl']) readFileSync(join(here, from))
assert.match(dockerfile, /npm install --global \/tmp\/viva-\*\.tgz bullmq ioredis /)

const redis = await findRedis()
if (redis) for (const stack of stacks) await run(stack, redis)
else console.log('no redis-server: the commands were read and not run')

async function run(stack, { command, env }) {
  const dir = mkdtempSync(join(tmpdir(), 'viva-fleet-'))
  const started = []
  try {
    const port = await freePort()
    // As the image has it.
    const app = join(dir, 'app')
    for (const path of ['agent.mjs', 'tests']) cpSync(join(here, path), join(app, path), { recursive: true })
    mkdirSync(join(dir, 'bin'))
    writeFileSync(join(dir, 'bin/viva'), `#!/bin/sh\nexec "${process.execPath}" "${viva}" "$@"\n`, { mode: 0o755 })
    assert.ok('VIVA_QUEUE_KEY' in stack.env)
    const own = {
      ...process.env,
      ...env,
      VIVA_QUEUE_KEY: 'only for this example',
      PATH: [join(dir, 'bin'), dirname(command), process.env.PATH].join(delimiter),
    }
    const placed = (words) =>
      words.map((word) => word.replace(/redis:\/\/[\w-]+:6379/, `redis://127.0.0.1:${port}`).replace(/^\/out\//, `${dir}/out/`))
    const start = ([name, ...args]) => {
      const child = spawn(name, args, { cwd: app, env: own, stdio: ['ignore', 'ignore', 'pipe'] })
      child.log = ''
      child.stderr.on('data', (data) => (child.log += data))
      started.push(child)
      return child
    }
    const finish = ([name, ...args]) => spawnSync(name, args, { cwd: app, env: own, encoding: 'utf8' })

    const [server, ...options] = stack.redis
    assert.equal(server, 'redis-server')
    assert.ok(options.includes('noeviction') && options.includes('--appendonly'))
    mkdirSync(join(dir, 'data'))
    start([command, ...options, '--port', String(port), '--bind', '127.0.0.1', '--dir', join(dir, 'data')])
    const wait = stack.wait ?? ['sh', '-c', `until viva fleet status --queue redis://redis:6379; do sleep 1; done`]
    const waited = finish(placed(wait))
    assert.equal(waited.status, 0, waited.stderr)
    const [client, ...question] = stack.ready
    assert.equal(client, 'redis-cli')
    const ready = finish([client, '-p', String(port), ...question])
    if (!ready.error) assert.equal(ready.stdout.trim(), 'PONG')

    const workers = [start(placed(stack.worker)), start(placed(stack.worker))]
    mkdirSync(join(dir, 'out'))
    mkdirSync(join(app, 'out'))
    const out = join(stack.test.some((word) => word.startsWith('/out/')) ? dir : app, 'out')
    const result = finish(placed(stack.test))
    assert.equal(result.status, 0, `${stack.name}: ${result.stderr}${workers.map(({ log }) => log).join('')}`)
    assert.equal(readFileSync(join(out, 'results.jsonl'), 'utf8').split('"status":"passed"').length - 1, 40)
    assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /<!doctype html>/)
    // Asked to stop, a worker does so within the time that the files allow.
    for (const worker of workers) worker.kill('SIGTERM')
    for (const worker of workers) if (worker.exitCode === null) await new Promise((resolve) => worker.once('exit', resolve))
    assert.deepEqual(workers.map(({ exitCode }) => exitCode), [0, 0])
  } finally {
    for (const child of started.reverse()) child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

function container(name) {
  return pods.flatMap(({ containers }) => containers).find((each) => each.name === name)
}

/** On PATH; in a checkout of Viva also the one that its tests unpack. */
async function findRedis() {
  if (spawnSync('redis-server', ['--version']).status === 0) return { command: 'redis-server', env: {} }
  const checkout = await import('../../build/redis.mjs').catch(() => undefined)
  return checkout?.findRedis()
}

function documents(name) {
  return parseAllDocuments(readFileSync(join(here, name), 'utf8')).map((document) => {
    assert.deepEqual(document.errors, [], name)
    return document.toJS()
  })
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
