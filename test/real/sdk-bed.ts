// What the tests of SDKs share: a model that knows the weather, folders with an SDK's packages, and Viva under Node 24.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { BIN, parseEvents, ROOT } from '../support/run-cli.js'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { CACHE, node24 } from './install.mjs'
import { say, startModelServer, type Behaviour, type ModelServer } from './model/index.js'

export interface Bed {
  model: ModelServer
  folder: string
}

export interface Ran extends Bed {
  results: ResultEvent[]
  printed: string
}

/** `viva test` on the cases, in the folder. */
export async function runViva({ model, folder, cases, args }: Bed & { cases: object[]; args: string[] }): Promise<Ran> {
  writeFileSync(join(folder, 'cases.jsonl'), cases.map((each) => `${JSON.stringify(each)}\n`).join(''))
  rmSync(join(folder, 'out.jsonl'), { force: true })
  const command = ['test', '-i', 'cases.jsonl', '-o', 'out.jsonl', '--timeout', '60s', '--parallel', '2', ...args]
  const child = spawn(node24() as string, [BIN, ...command], {
    cwd: folder,
    env: environment(folder, model),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await new Promise((resolve) => child.on('close', resolve))
  const events = parseEvents(readOr(join(folder, 'out.jsonl'), printed))
  return { results: events.filter(({ type }) => type === 'result') as unknown as ResultEvent[], model, folder, printed }
}

/** What a user would have set. Nothing leaves loopback. */
export function environment(folder: string, model: ModelServer): Record<string, string> {
  return {
    HOME: join(folder, 'home'),
    PATH: `${dirname(node24() as string)}:/usr/bin:/bin`,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'loopback',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-ant-loopback',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: 'loopback',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_TELEMETRY: '1',
    MASTRA_TELEMETRY_DISABLED: '1',
    LANGSMITH_TRACING: 'false',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  }
}

/** The agent beside the packages of its folder, and Viva as this checkout has built it. */
export function openFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-real-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'home'))
  mkdirSync(join(folder, 'node_modules'))
  const installed = join(CACHE as string, name, 'node_modules')
  for (const entry of readdirSync(installed).filter((each) => !each.startsWith('.')))
    symlinkSync(join(installed, entry), join(folder, 'node_modules', entry))
  symlinkSync(ROOT, join(folder, 'node_modules', 'viva'))
  return folder
}

export async function openModel(): Promise<ModelServer> {
  const model = await startModelServer(say('unused'))
  onTestFinished(() => model.close())
  let calls = 0
  model.decide(({ tools, task, results }, { body, path }): Behaviour => {
    const usage = { input: 10, output: 5 }
    const isThinking = body.thinking !== undefined && body.thinking?.type !== 'disabled'
    const thought = isThinking ? { thought: 'Let me think.' } : {}
    if (/fail/.test(task))
      return { kind: 'error', status: 400, type: 'invalid_request_error', message: 'no such model' }
    if (/break off/.test(task)) return { kind: 'reset' }
    if (/hang/.test(task)) return { kind: 'hang' }
    // Claude's kit asks once more.
    if (/refuse|safety classifier/.test(task))
      return { kind: 'answer', pieces: ['I will not.'], refusal: 'I will not.', usage, ...thought }
    const last = results.at(-1)
    if (last !== undefined) return { ...say('It is ', /fog|sun/.exec(last)?.[0] ?? last, '.'), usage, ...thought }
    const city = /weather in (\w+)/.exec(task)?.[1]
    const name = tools.find((each) => each.endsWith('weather'))
    if (city === undefined || name === undefined) return { ...say('You said: ', lastLine(task)), usage, ...thought }
    const call = { id: `call_${++calls}_${Math.random().toString(36).slice(2)}`, name, args: JSON.stringify({ city }) }
    // Streamed, Google's kit sends what was said before a call back as a turn of its own, which Gemini refuses.
    const said = path.includes('enerateContent') ? {} : { pieces: ['Let me look.'] }
    return { kind: 'answer', ...said, calls: [call], usage, ...thought }
  })
  return model
}

/** Claude's kit puts reminders before the text of the user. */
function lastLine(task: string): string {
  return task.trim().split('\n').at(-1) ?? ''
}

export function verdicts(results: ResultEvent[]): Record<string, string> {
  return Object.fromEntries(results.map(({ id, status, error_kind }) => [id, error_kind ?? status]))
}

export function details(results: ResultEvent[]): string {
  return results.map(({ id, error }) => `${id}: ${JSON.stringify(error)}`).join('\n')
}

export function byId(results: ResultEvent[], id: string): ResultEvent | undefined {
  return results.find((result) => result.id === id)
}

function readOr(path: string, printed: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`no events:\n${printed}`)
  }
}
