// What the page may ask the server to do, if that was allowed: run cases again, and stop that.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import type { RerunRequest } from '../model/live-message.js'
import type { RunSource } from './runs.js'

/** Runs cases again, one run at a time. */
export interface Reruns {
  /** Resolves with the new event file once it is there. Throws a UserError if the cases cannot be run. */
  start(events: string, cases: readonly string[]): Promise<string>
  stop(): void
  /** The event file of the run that is going on. Undefined before it has one. */
  running(): string | undefined
  close(): Promise<void>
}

export interface ActionContext {
  runs: RunSource
  reruns: Reruns
}

export type Action = (body: unknown, context: ActionContext) => Promise<[status: number, answer: object]>

export const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['/api/rerun', rerun],
  ['/api/rerun/stop', stop],
])

export async function act(
  action: Action,
  request: IncomingMessage,
  response: ServerResponse,
  context: ActionContext,
): Promise<void> {
  const body = await readJson(request)
  const [status, answer] = body === undefined ? [400, { error: 'not a request' }] : await action(body, context)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(answer))
}

async function rerun(body: unknown, { runs, reruns }: ActionContext): Promise<[number, object]> {
  const request = readRequest(body)
  const path = request && runs.pathOf(request.run)
  if (!request || path === undefined) return [400, { error: 'no such run' }]
  try {
    return [200, { run: runs.add(await reruns.start(path, request.cases)) }]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [error.code === 'RERUN_RUNNING' ? 409 : 422, { error: error.message, hint: error.hint }]
  }
}

async function stop(_body: unknown, { reruns }: ActionContext): Promise<[number, object]> {
  reruns.stop()
  return [200, {}]
}

/** Two fields and nothing else: a run we listed, and ids, which are only compared. */
function readRequest(body: unknown): RerunRequest | undefined {
  if (!isRecord(body) || Object.keys(body).toSorted().join() !== 'cases,run') return undefined
  const { run, cases } = body
  if (typeof run !== 'string' || !Array.isArray(cases) || cases.some((id) => typeof id !== 'string')) return undefined
  return { run, cases: cases as string[] }
}

const MOST_BYTES = 4 * 1024 * 1024

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) return undefined
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
