// What the page may ask the server to do, if that was allowed: run cases again, stop that, open a case in the editor.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import type { RerunRequest } from '../model/live-message.js'
import { openCase, type CaseOpener } from './open-case.js'
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

/** Where something is not allowed, it is not there. */
export interface ActionContext {
  runs: RunSource
  reruns?: Reruns | undefined
  opener?: CaseOpener | undefined
}

export type Action = (body: unknown, context: ActionContext) => Promise<[status: number, answer: object]>

export const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['/api/rerun', rerun],
  ['/api/rerun/stop', stop],
  ['/api/open', open],
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

const NOT_THERE: [number, object] = [404, { error: 'not found' }]

async function rerun(body: unknown, { runs, reruns }: ActionContext): Promise<[number, object]> {
  if (!reruns) return NOT_THERE
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
  if (!reruns) return NOT_THERE
  reruns.stop()
  return [200, {}]
}

/** Which file that is, the events of the run say: no path comes from the page. */
async function open(body: unknown, { runs, opener }: ActionContext): Promise<[number, object]> {
  if (!opener) return NOT_THERE
  if (!isRecord(body) || Object.keys(body).toSorted().join() !== 'case,run') return [400, { error: 'not a request' }]
  const { run, case: id } = body
  const path = typeof run === 'string' && typeof id === 'string' ? runs.pathOf(run) : undefined
  if (path === undefined || typeof id !== 'string') return [400, { error: 'no such run' }]
  const error = await openCase(opener, path, id)
  return error === undefined ? [200, {}] : [422, { error }]
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
