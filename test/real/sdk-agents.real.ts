// Agents on SDKs as published, each written as a user would, in every situation a case can bring about.
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { BIN, parseEvents, ROOT } from '../support/run-cli.js'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { CACHE, node24 } from './install.mjs'
import { say, startModelServer, type Behaviour, type ModelServer } from './model/index.js'
import { note } from './results.js'

interface Sdk {
  /** Exports of its `agent.ts` besides `whole`: each answers the two turns after a tool like it. */
  others?: string[]
  streamed?: string
  tool: string
  /** Streamed, what was said before a call is part of the answer. */
  streamsAll?: boolean
  /** It says what an answer cost. */
  cost?: boolean
}

const SDKS: Record<string, Sdk> = {
  'ai-6': { tool: 'weather', streamed: 'streamed', others: ['agent', 'thinking'] },
  'ai-7': { tool: 'weather', streamed: 'streamed', others: ['agent', 'thinking'] },
  openai: { tool: 'weather', streamed: 'streamed', streamsAll: true },
  'openai-agents': { tool: 'weather', streamed: 'streamed', others: ['agent'] },
  langgraph: { tool: 'weather', streamed: 'streamed', others: ['agent', 'values', 'updates', 'debug', 'several'] },
  'mastra-0': { tool: 'weather', streamed: 'streamed', others: ['agent'] },
  'mastra-1': { tool: 'weather', streamed: 'streamed', others: ['agent'] },
  'claude-agent-sdk': { tool: 'mcp__reports__weather', streamed: 'streamed', cost: true },
  adk: { tool: 'weather', streamed: 'streamed' },
}

describe.each(Object.entries(SDKS))('%s', (name, sdk) => {
  const { tool } = sdk
  const exports = ['whole', ...(sdk.streamed === undefined ? [] : [sdk.streamed]), ...(sdk.others ?? [])]
  const turnsOf = (before = '') => [
    {
      input: 'The weather in Ulm?',
      assertions: [
        { type: 'tool_called', name: tool, arguments: { city: 'Ulm' }, times: 1 },
        { type: 'equals', value: `${before}It is fog.` },
      ],
    },
    {
      input: 'And the weather in Rome?',
      assertions: [
        { type: 'tool_called', name: tool, arguments: { city: 'Rome' }, times: 1 },
        { type: 'equals', value: `${before}It is sun.` },
      ],
    },
    {
      input: 'Thanks',
      assertions: [
        { type: 'tool_not_called', name: tool },
        { type: 'equals', value: 'You said: Thanks' },
      ],
    },
  ]

  test.each(exports)('%s: one turn, and two after a tool call; tokens; verdicts both ways', async (export_) => {
    const isStreamed = export_ === sdk.streamed
    const turns = turnsOf(isStreamed && sdk.streamsAll ? 'Let me look.\n\n' : '')
    const { results, model } = await run(name, export_, [
      {
        id: 'one',
        input: 'Hello',
        assert: [
          { type: 'equals', value: 'You said: Hello' },
          { type: 'tool_not_called', name: tool },
        ],
      },
      { id: 'on', turns },
      { id: 'called', input: 'The weather in Ulm?', assert: { type: 'tool_not_called', name: tool } },
      { id: 'not-called', input: 'Hello', assert: { type: 'tool_called', name: tool } },
      {
        id: 'wrong',
        turns: [...turns.slice(0, 2), { input: 'Thanks', assertions: [{ type: 'contains', value: 'fog' }] }],
      },
      { id: 'tokens', input: 'The weather in Ulm?', assert: { type: 'tokens', max: 30 } },
      { id: 'too-many', input: 'The weather in Ulm?', assert: { type: 'tokens', max: 29 } },
    ])
    expect(model.refusals).toEqual([])
    expect(verdicts(results), details(results)).toEqual({
      one: 'passed',
      on: 'passed',
      called: 'assertion',
      'not-called': 'assertion',
      wrong: 'assertion',
      tokens: 'passed',
      'too-many': 'assertion',
    })
    const [first] = byId(results, 'on')?.turns ?? []
    expect(first?.tool_calls).toMatchObject([{ name: tool, args: { city: 'Ulm' }, result: 'fog' }])
    if (isStreamed) expect(byId(results, 'one')?.first_chunk_ms).toEqual(expect.any(Number))
    for (const cell of isStreamed ? ['streaming'] : ['one turn', 'two turns after a tool', 'tokens'])
      if (isStreamed || export_ === 'whole') note(name, cell, 'yes')
    if (export_ === 'whole') note(name, 'cost', sdk.cost ? 'yes' : 'no')
  })

  test.each(exports.slice(0, 2))('%s: an error of the model is no answer', async (export_) => {
    const { results } = await run(name, export_, [
      { id: 'error', input: 'Please fail', assert: { type: 'not_contains', value: 'sorry' } },
      { id: 'midway', input: 'Please break off', assert: { type: 'not_contains', value: 'sorry' } },
    ])
    expect(verdicts(results), details(results)).toEqual({ error: 'agent', midway: 'agent' })
    expect(byId(results, 'error')?.error).toContain('no such model')
    note(name, 'error', 'yes')
  })

  test.each(exports.slice(0, 2))('%s: a refusal is one', async (export_) => {
    const { results, model } = await run(name, export_, [
      { id: 'refused', input: 'Please refuse', assert: { type: 'not_contains', value: 'sorry' } },
      { id: 'expected', input: 'Please refuse', assert: { type: 'refusal' } },
    ])
    expect(model.refusals).toEqual([])
    expect(byId(results, 'refused')?.status, details(results)).toBe('failed')
    const isReported = byId(results, 'expected')?.status === 'passed'
    note(
      name,
      'refusal',
      isReported ? 'yes' : 'no',
      isReported ? undefined : shown(name, export_, byId(results, 'expected')),
    )
  })

  test.each(exports.slice(0, 2))('%s: a model that hangs ends with the time of the case', async (export_) => {
    const { results } = await run(name, export_, [
      { id: 'hangs', input: 'Please hang', timeout: '3s', assert: { type: 'not_contains', value: 'sorry' } },
      { id: 'after', input: 'Hello', assert: { type: 'equals', value: 'You said: Hello' } },
    ])
    expect(verdicts(results), details(results)).toEqual({ hangs: 'timeout', after: 'passed' })
    note(name, 'timeout', 'yes')
  })

  test('recorded and replayed: the same verdicts without the model', async () => {
    const cases = [{ id: 'on', turns: turnsOf() }]
    const recorded = await run(name, 'whole', cases, ['--record', 'tape.yaml', '--record-http'])
    expect(verdicts(recorded.results), details(recorded.results)).toEqual({ on: 'passed' })
    const before = recorded.model.requests.length
    const replayed = await run(name, 'whole', cases, ['--replay', 'tape.yaml'], recorded)
    expect(verdicts(replayed.results), details(replayed.results)).toEqual({ on: 'passed' })
    expect([before, recorded.model.requests.length - before]).toEqual([5, 0])
    expect(recorded.model.refusals).toEqual([])
    note(name, 'recorded and replayed', 'yes')
  })
})

interface Ran {
  results: ResultEvent[]
  model: ModelServer
  folder: string
}

async function run(name: string, export_: string, cases: object[], args: string[] = [], before?: Ran): Promise<Ran> {
  const model = before?.model ?? (await openModel())
  const folder = before?.folder ?? openFolder(name)
  writeFileSync(join(folder, 'cases.jsonl'), cases.map((each) => `${JSON.stringify(each)}\n`).join(''))
  rmSync(join(folder, 'out.jsonl'), { force: true })
  const command = [
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    `./agent.ts#${export_}`,
    '-o',
    'out.jsonl',
    '--timeout',
    '60s',
    ...args,
  ]
  const child = spawn(node24() as string, [BIN, ...command, '--parallel', '2'], {
    cwd: folder,
    env: {
      HOME: join(folder, 'home'),
      PATH: `${dirname(node24() as string)}:/usr/bin:/bin`,
      MODEL_URL: model.url,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'loopback',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-loopback',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_API_KEY: 'loopback',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      MASTRA_TELEMETRY_DISABLED: '1',
      LANGSMITH_TRACING: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await new Promise((resolve) => child.on('close', resolve))
  const events = parseEvents(readOr(join(folder, 'out.jsonl'), printed))
  return { results: events.filter(({ type }) => type === 'result') as unknown as ResultEvent[], model, folder }
}

/** The agent beside the packages of its folder, and Viva as this checkout has built it. */
function openFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-real-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  copyFileSync(fileURLToPath(new URL(`${name}/agent.ts`, import.meta.url)), join(folder, 'agent.ts'))
  mkdirSync(join(folder, 'home'))
  mkdirSync(join(folder, 'node_modules'))
  const installed = join(CACHE as string, name, 'node_modules')
  for (const entry of readdirSync(installed).filter((each) => !each.startsWith('.')))
    symlinkSync(join(installed, entry), join(folder, 'node_modules', entry))
  symlinkSync(ROOT, join(folder, 'node_modules', 'viva'))
  return folder
}

async function openModel(): Promise<ModelServer> {
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
    if (/refuse/.test(task))
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

function verdicts(results: ResultEvent[]): Record<string, string> {
  return Object.fromEntries(results.map(({ id, status, error_kind }) => [id, error_kind ?? status]))
}

function details(results: ResultEvent[]): string {
  return results.map(({ id, error }) => `${id}: ${JSON.stringify(error)}`).join('\n')
}

function byId(results: ResultEvent[], id: string): ResultEvent | undefined {
  return results.find((result) => result.id === id)
}

function shown(name: string, export_: string, result: ResultEvent | undefined): string {
  return `$ viva test -i "Please refuse" -n ./agent.ts#${export_}   # ${name}\n${String(result?.error)}`
}

function readOr(path: string, printed: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`no events:\n${printed}`)
  }
}
