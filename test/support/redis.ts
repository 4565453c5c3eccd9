// A real Redis on loopback for one test file. Where none can be had, `withRedis` skips by name.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, onTestFinished } from 'vitest'
import { startViva, type CliOptions, type StartedCli } from './run-cli.js'

interface Found {
  command: string
  env: Record<string, string>
}

// oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- without it the types of a .mjs file are wanted
const { findRedis } = (await import('../../build/redis.mjs' as string)) as { findRedis(): Found | undefined }
const found = findRedis()

/** `describe`, or `describe.skip` where there is no Redis. */
export const withRedis = found ? describe : describe.skip

export interface TestRedis {
  url: string
  port: number
  /** With `--tls-port free`. */
  tlsPort: number | undefined
  /** One command, as text; the answer as Redis writes it. */
  ask(...command: string[]): Promise<string>
  /** Everything that fleets keep there. */
  keys(): Promise<string[]>
  /** Ends it and starts it again on the same port and data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(given: string[] = []): Promise<TestRedis> {
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'viva-redis-'))
  const tlsPort = given.includes('--tls-port') ? await freePort() : undefined
  const args = given.map((each) => (each === 'free' ? String(tlsPort) : each))
  let server = await launch(port, dir, args)
  const ask = (...command: string[]): Promise<string> => askRedis(port, command)
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    tlsPort,
    ask,
    keys: async () => [...(await ask('KEYS', '*')).matchAll(/^(viva:.*?)\r$/gm)].map(([, key = '']) => key).toSorted(),
    restart: async () => {
      await ended(server)
      server = await launch(port, dir, args)
    },
    stop: async () => {
      await ended(server)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export const QUEUE_KEY = 'a key that only these tests know'

/** Ready for runs. Ended with the test. */
export async function startWorker(
  redis: Pick<TestRedis, 'url'>,
  options: CliOptions,
  args: string[] = ['--parallel', '4'],
): Promise<StartedCli> {
  const worker = startViva(['worker', '--queue', redis.url, ...args], {
    ...options,
    env: { VIVA_QUEUE_KEY: QUEUE_KEY, ...options.env },
  })
  onTestFinished(async () => {
    worker.process.kill('SIGCONT')
    worker.process.kill('SIGKILL')
    await worker.done
  })
  await worker.saw('waiting for runs')
  return worker
}

/** What runs have left there. Workers remove what they wrote last, and one that came late has written last. */
export async function leftByRuns(redis: Pick<TestRedis, 'keys'>): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    const keys = (await redis.keys()).filter((key) => !key.startsWith('viva:worker'))
    if (keys.length === 0 || tries > 200) return keys
    await sleep(50)
  }
}

async function launch(port: number, dir: string, args: string[]): Promise<ChildProcess> {
  if (!found) throw new Error('no Redis')
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir]
  const server = spawn(found.command, [...fixed, '--save', '', '--appendonly', 'no', ...args], {
    env: { ...process.env, ...found.env },
    stdio: 'ignore',
  })
  process.once('exit', () => server.kill('SIGKILL'))
  for (;;) {
    const answer = await askRedis(port, ['PING']).catch(() => '')
    if (/PONG|NOAUTH/.test(answer)) return server
    if (server.exitCode !== null) throw new Error(`Redis ended with code ${server.exitCode}`)
    await sleep(20)
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await gone
}

/** Ends when the answer stops coming: enough for the few short answers tests ask for. */
function askRedis(port: number, command: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const words = [...command, ''].slice(0, command.length)
    socket.on('error', reject)
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
      if (isWhole(answer)) {
        socket.destroy()
        resolve(answer)
      }
    })
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`)
  })
}

/** Whether an answer of Redis has come to its end. */
function isWhole(answer: string): boolean {
  const wanted = /^\*(\d+)\r\n/.exec(answer)
  if (wanted) return (answer.match(/^[$:]/gm)?.length ?? 0) >= Number(wanted[1]) && answer.endsWith('\r\n')
  const length = /^\$(-?\d+)\r\n/.exec(answer)
  if (length) return Number(length[1]) < 0 || Buffer.byteLength(answer) >= Number(length[1]) + length[0].length + 2
  return answer.endsWith('\r\n')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
