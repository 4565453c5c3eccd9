// A folder and a model for one coding agent, and Viva run there as a user without privileges.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { BIN, parseEvents, writeFiles, type Files } from '../support/run-cli.js'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { asUser, isOtherUser, USER } from './as-user.mjs'
import type { CodingAgent } from './coding-agents.js'
// @ts-expect-error -- the same
import { CACHE, node24 } from './install.mjs'
import { say, startModelServer, type Behaviour, type ModelServer } from './model/index.js'

export interface Workbench {
  folder: string
  model: ModelServer
  /** Without the agent's own folder. */
  path: string
  /** The file of the agent's program. */
  program: string
  /** Runs Viva in the folder. */
  viva(args: string[], env?: Record<string, string>): Promise<Ran>
  /** Runs any program there. */
  run(command: string, args: string[], env?: Record<string, string>): Promise<Ran>
  results(file: string): ResultEvent[]
  read(file: string): string
  add(files: Files): void
  /** Processes that were started there and are alive. */
  alive(): string[]
}

export interface Ran {
  code: number | null
  printed: string
}

export async function openWorkbench(agent: CodingAgent, files: Files = {}): Promise<Workbench> {
  const model = await startModelServer(say('unused'))
  onTestFinished(() => model.close())
  const folder = mkdtempSync(join(tmpdir(), 'viva-real-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'home'), { recursive: true })
  const program = join(CACHE as string, agent.folder, 'node_modules/.bin', agent.command)
  const path = `${dirname(node24() as string)}:/usr/bin:/bin`
  const own = (): void => {
    if (isOtherUser()) execFileSync('chown', ['-R', `${USER}:${USER}`, folder])
    chmodSync(folder, 0o755)
  }
  const add = (more: Files): void => {
    writeFiles(folder, more)
    own()
  }
  for (const [path, value] of Object.entries(agent.home ?? {})) write(join(folder, 'home', path), value)
  add(files)
  const run: Workbench['run'] = async (command, args, env = {}) => {
    const [file, all] = asUser(command, args) as [string, string[]]
    const child = spawn(file, all, {
      cwd: folder,
      env: {
        HOME: join(folder, 'home'),
        PATH: path,
        LANG: 'C.UTF-8',
        ...agent.env(model.url),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, printed }
  }
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    folder,
    model,
    path,
    program,
    run,
    read,
    add,
    viva: (args, env) => run(node24() as string, [BIN, ...args], env),
    results: (file) =>
      parseEvents(existsSync(join(folder, file)) ? read(file) : '').filter(
        ({ type }) => type === 'result',
      ) as unknown as ResultEvent[],
    alive: () => processesOf(join(folder, 'home')),
  }
}

/** `--pass-env` for everything that an agent is set up with. */
export function passing(agent: CodingAgent): string[] {
  return Object.keys(agent.env('')).flatMap((name) => ['--pass-env', name])
}

/** A model that calls the writing tool once, and then says so; in `place`, or in the workspace that it is told of. */
export function writesOnce(agent: CodingAgent, words: string[], place?: string): Parameters<ModelServer['decide']>[0] {
  const usage = { input: 100, output: 20, cached: 40 }
  return ({ tools, task, results }, { body }) => {
    const done: Behaviour = { ...say(...words), usage }
    if (results.length > 0 || !/hello\.txt/.test(task)) return done
    const folder = place ?? /(\/[^\s"'<>]*viva-workspaces[^\s"'<>\\]*)/.exec(JSON.stringify(body))?.[1] ?? '.'
    const { name, args } = agent.write(join(folder, 'hello.txt'))
    if (!tools.includes(name)) return done
    return {
      kind: 'answer',
      pieces: ['Writing it.'],
      calls: [{ id: 'call_0', name, args: JSON.stringify(args) }],
      usage,
    }
  }
}

function write(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
}

/** By the home that they were given. */
function processesOf(home: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
        return environment.includes(`HOME=${home}`) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : []
      } catch {
        return []
      }
    })
    .filter((command) => command !== '')
}

/** Why an agent cannot be run here, if it cannot: as root, where no other user could be created. */
export function needsUser(command: string): string | undefined {
  if (process.getuid?.() !== 0 || isOtherUser() || !command.startsWith('claude')) return undefined
  return `id ${USER}: no such user, and it could not be created; ${command} refuses to work as root`
}
