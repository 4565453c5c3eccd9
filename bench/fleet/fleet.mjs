// A Redis, workers and a folder of cases for the benchmarks of fleets.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findRedis } from '../../build/redis.mjs'
import { WORK } from '../support/paths.mjs'
import { VIVA } from '../support/viva.mjs'

export const env = { ...process.env, VIVA_QUEUE_KEY: 'the key of the benchmarks of fleets' }

export async function startRedis(args = []) {
  const found = findRedis()
  if (!found) throw new Error('the benchmark needs Redis: none is on PATH, and none could be unpacked')
  const port = await freePort()
  const dir = `${WORK}redis-${port}`
  mkdirSync(dir, { recursive: true })
  const launch = async () => {
    const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '']
    const server = spawn(found.command, [...fixed, ...args], { env: { ...process.env, ...found.env }, stdio: 'ignore' })
    const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null, retryStrategy: () => 50 })
    client.on('error', () => {})
    await client.ping()
    return { server, client }
  }
  let running = await launch()
  const end = async () => {
    running.client.disconnect()
    const gone = new Promise((resolve) => running.server.once('exit', resolve))
    running.server.kill('SIGTERM')
    await gone
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    ask: (...command) => running.client.call(...command),
    /** Seconds of CPU, and bytes at most since the last reset. */
    async figures() {
      const info = await running.client.info()
      const number = (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0)
      return {
        cpu: number('used_cpu_user') + number('used_cpu_sys'),
        bytes: number('used_memory'),
        peak: number('used_memory_peak'),
      }
    },
    restart: async () => {
      await end()
      running = await launch()
    },
    stop: async () => {
      await end()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export function makeApp(name, agent, cases) {
  const dir = `${WORK}${name}`
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  writeFileSync(`${dir}/agent.mjs`, agent)
  writeFileSync(`${dir}/cases.jsonl`, cases)
  return dir
}

export function casesOf(count) {
  const line = (_, i) =>
    `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'contains', value: i % 10 === 3 ? 'nope' : `call ${i}` } })}\n`
  return Array.from({ length: count }, line).join('')
}

export const SLEEPER = (ms) => `
export async function run(input) {
  await new Promise((resolve) => setTimeout(resolve, ${ms}))
  return 'you said ' + String(input.at?.(-1)?.content ?? input)
}
`

export async function startWorker(url, dir, parallel, more = []) {
  const child = spawn(process.execPath, [...more, VIVA, 'worker', '--queue', url, '--parallel', String(parallel)], {
    cwd: dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.log = ''
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(child.log)))
    child.stderr.on('data', (data) => {
      child.log += data
      if (child.log.includes('waiting for runs')) resolve()
    })
  })
  child.removeAllListeners('exit')
  return child
}

export async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGCONT')
  child.kill('SIGKILL')
  await gone
}

/** Seconds of CPU of a process so far. */
export function cpuOf(pid) {
  const found = spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)])
    .stdout.toString()
    .trim()
  return Number(found)
}

export { sleep }

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
