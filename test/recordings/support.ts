// An application whose agent, simulated user and judge share one model on loopback, recorded and replayed.
import { nonceIn } from '../support/nonce.js'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'

export type Json = Record<string, unknown>

export interface ChatServer {
  url: string
  /** The last message of every request. */
  asked: string[]
  /** The first, which is a prompt where there is one. */
  prompts: string[]
  /** What is asked so is not answered, as long as this is set. */
  held?: string | undefined
  /** Why the model stopped. */
  finish?: (last: string) => string
  close(): Promise<void>
}

/** Speaks as the agent, the user or the judge, by what it is asked. `say` answers for the agent. */
export async function startChat(say: (last: string) => string = (last) => `You said: ${last}`): Promise<ChatServer> {
  const asked: string[] = []
  const prompts: string[] = []
  const chat: ChatServer = { url: '', asked, prompts, close: async () => {} }
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const messages = (JSON.parse(body) as { messages: Array<{ content: string }> }).messages
      const last = String(messages.at(-1)?.content)
      asked.push(last)
      prompts.push(String(messages[0]?.content))
      if (chat.held !== undefined && last.includes(chat.held)) return
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          choices: [
            {
              message: { role: 'assistant', content: answerTo(last, say) },
              finish_reason: chat.finish?.(last) ?? 'stop',
            },
          ],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  chat.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  chat.close = close
  return chat
}

function answerTo(last: string, say: (last: string) => string): string {
  if (last.includes('<data-'))
    return `{"passed": true, "score": 1, "reason": "it is kind", "nonce": "${nonceIn(last)}"}`
  if (!last.includes('"test_mode":"simulator"')) return say(last)
  const turn = (JSON.parse(last) as { turn_number: number }).turn_number
  return turn > 3 ? '{"goal_achieved": true}' : JSON.stringify({ input: `and then, ${turn}?` })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

export const KEY = 'sk-proj-planted0123456789abcdefABCDEF0123456789'

/** The key is in the environment; without it the connector cannot even be opened. */
export function app(url: string, cases: object[], files: Files = {}): string {
  return makeFolder({
    'app.yao': {},
    'connectors/main.conn.yao': {
      type: 'openai',
      options: { host: url, model: 'small', key: '$ENV.MODEL_KEY' },
      price: { input: 1, output: 2 },
    },
    'viva.config.json': { helpers: { connector: 'main' } },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'main' },
    'assistants/desk/prompts.yml': '- content: You are kind and brief.\n',
    'cases.jsonl': cases,
    ...files,
  })
}

export interface Ran extends CliRun {
  events: Json[]
  results: Json[]
  summary: Json
}

let runs = 0

/** `live`: with the key and a PATH; otherwise with an empty environment. */
export async function run(
  dir: string,
  args: string[],
  { live = false, name = 'desk', tz }: { live?: boolean; name?: string; tz?: string } = {},
): Promise<Ran> {
  const file = `o-${++runs}.jsonl`
  const env: Record<string, string> = live
    ? { MODEL_KEY: KEY, ...(tz !== undefined && { TZ: tz }) }
    : { PATH: '', HOME: '', LANG: '', TZ: '' }
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', name, '-o', file, ...args], { cwd: dir, env })
  if (ran.code === 2) return { ...ran, events: [], results: [], summary: {} }
  return { ...ran, ...resultsIn(join(dir, file)) }
}

export function resultsIn(file: string): Pick<Ran, 'events' | 'results' | 'summary'> {
  const events = parseEvents(readFileSync(file, 'utf8')) as Json[]
  return {
    events,
    results: events.filter((event) => event['type'] === 'result').toSorted(byId),
    summary: events.find((event) => event['type'] === 'summary') ?? {},
  }
}

function byId(a: Json, b: Json): number {
  return String(a['id']).localeCompare(String(b['id'])) || Number(a['run']) - Number(b['run'])
}

const VARIES = /^(?:run_id|duration_ms|start_ms|first_chunk_ms|cost_dollars|timestamp|trace|api_retries)$/

/** What must be the same in every replay: everything but times, ids of the run and cost. */
export function lasting(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item: unknown) => (VARIES.test(key) ? undefined : item)))
}

export function tape(dir: string, name = 'tape.yaml'): string {
  return readFileSync(join(dir, name), 'utf8')
}

export const JUDGED = { type: 'agent', value: 'kind' }

/** Three turns each, with a simulator and a judge. */
export function conversations(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `T${index + 1}`,
    input: `hello number ${index + 1}`,
    simulator: { options: { metadata: { goal: 'hear three answers' } } },
    assert: { type: 'contains', value: 'and then, 3?' },
    final_assertions: [JUDGED],
  }))
}
