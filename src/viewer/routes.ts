// What the viewer's server answers: its own page, and the data of runs by opaque id. No file can be named.
import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { contentPolicy, pageApp, pageHead, pageTail } from '../pipeline/report/html/page.js'
import type { ViewerAssets } from '../pipeline/report/html/assets.js'
import { refuse, refuseAction, refuseData, refuseForeign, type AccessRules } from './access.js'
import { act, ACTIONS, type Reruns } from './actions.js'
import { streamMessages } from './event-stream.js'
import { cappedLine } from '../pipeline/report/html/cap.js'
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import type { SummaryEvent } from '../model/event.js'
import type { RunsMessage } from '../model/live-message.js'
import type { JudgedSource } from '../pipeline/fold/judged/judged-fold.js'
import type { SuiteOverview } from '../model/suite-overview.js'
import { recordingOf } from '../pipeline/record/read-events.js'
import { readResultAt } from '../pipeline/record/read-parts.js'
import { watchChanges } from '../pipeline/record/watch-changes.js'
import { fleetMessages, type FleetSource } from './fleet.js'
import type { CaseOpener } from './open-case.js'
import { liveMessages } from './live.js'
import type { RunSource } from './runs.js'

/** For the event file of a run; undefined: nothing is known. */
export type JudgedBeside = (path: string) => Promise<JudgedSource | undefined>

export type ExamineSuite = (path: string) => Promise<SuiteOverview>

export interface RouteContext {
  assets: ViewerAssets
  runs: RunSource
  rules: AccessRules
  judgedBeside?: JudgedBeside
  examine?: ExamineSuite
  fleet?: FleetSource
  reruns?: Reruns
  opener?: CaseOpener
}

export async function answer(request: IncomingMessage, response: ServerResponse, context: RouteContext): Promise<void> {
  setHeaders(response, context.assets)
  const url = new URL(request.url ?? '/', 'http://viewer.invalid')
  if (request.method === 'POST' && ACTIONS.has(url.pathname))
    return answerAction(url.pathname, request, response, context)
  const refused = refuse(request, context.rules)
  if (refused) return end(response, refused.status, refused.reason)
  if (url.pathname === '/' && url.search === '') return sendPage(response, context.assets)
  const route = ROUTES.get(url.pathname)
  if (!route) return end(response, 404, 'not found')
  const closed = refuseData(request, context.rules)
  if (closed) return end(response, closed.status, closed.reason)
  await route(url.searchParams, response, context)
}

/** Where nothing may be done, nothing is there. */
async function answerAction(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { rules, runs, reruns, opener }: RouteContext,
): Promise<void> {
  const refused = refuseForeign(request, rules) ?? refuseAction(request, rules)
  if (refused) return end(response, refused.status, refused.reason)
  const action = ACTIONS.get(path)
  if (!action) return end(response, 404, 'not found')
  await act(action, request, response, { runs, reruns, opener })
}

type Route = (query: URLSearchParams, response: ServerResponse, context: RouteContext) => Promise<void>

const ROUTES = new Map<string, Route>([
  ['/api/runs', sendRuns],
  ['/api/stream', sendStream],
  ['/api/fleet', sendFleet],
  ['/api/result', sendResult],
  ['/api/events', sendEvents],
  ['/api/history', sendHistory],
  ['/api/compare', sendComparison],
  ['/api/variants', sendVariants],
  ['/api/suite', sendSuite],
])

const LIST_PAUSE_MS = 500
const LOOK_AGAIN_MS = 3000

async function sendRuns(
  _query: URLSearchParams,
  response: ServerResponse,
  { runs, fleet, reruns, opener, examine }: RouteContext,
): Promise<void> {
  await streamMessages(response, async function* (signal) {
    const changes = watchChanges(runs.watched, signal)
    try {
      let told = ''
      while (!signal.aborted) {
        const message: RunsMessage = {
          ...(await runsMessage(runs, fleet, reruns)),
          ...(opener && { editor: opener.editor.name }),
          ...(examine && { suite: true }),
        }
        const text = JSON.stringify(message)
        if (text !== told) yield message
        told = text
        // Folders below the watched one are scanned now and then.
        await Promise.race([changes.next(), delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined)])
        // A busy run changes its file many times a second; the list need not.
        await delay(LIST_PAUSE_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      changes.close()
    }
  })
}

async function runsMessage(runs: RunSource, fleet?: FleetSource, reruns?: Reruns): Promise<RunsMessage> {
  const listed = await runs.list()
  const going = reruns?.running()
  const past = await runs.past(listed)
  return {
    runs: listed,
    // A run that may be joined by others is one of a list.
    single: runs.single !== undefined && !reruns,
    ...(past.length > 0 && { past }),
    ...(fleet && { fleet: true }),
    ...(reruns && { rerun: defined({ running: going && runs.add(going) }) }),
    ...(runs.single !== undefined && reruns && { open: runs.single }),
  }
}

async function sendStream(query: URLSearchParams, response: ServerResponse, context: RouteContext): Promise<void> {
  const path = context.runs.pathOf(query.get('run') ?? '')
  if (path === undefined) return end(response, 404, 'no such run')
  await streamMessages(response, (signal) => liveMessages(path, signal, (summary) => corrected(summary, path, context)))
}

async function corrected(summary: SummaryEvent, path: string, context: RouteContext): Promise<SummaryEvent> {
  const source = await sourceOf(path, context)
  if (!source) return summary
  const { correctionsOf } = await import('../pipeline/report/corrected-recording.js')
  const correct = await correctionsOf(recordingOf(path), source).catch((error: unknown) => {
    // The stream says what is wrong with the file.
    if (error instanceof UserError) return undefined
    throw error
  })
  return correct ? correct(summary) : summary
}

/** A damaged file of labels must not keep a run from being seen; `viva judge` says what is wrong with it. */
async function sourceOf(path: string, { judgedBeside }: RouteContext): Promise<JudgedSource | undefined> {
  return judgedBeside?.(path).catch((error: unknown) => {
    if (error instanceof UserError) return undefined
    throw error
  })
}

async function sendFleet(_query: URLSearchParams, response: ServerResponse, { fleet }: RouteContext): Promise<void> {
  if (!fleet) return end(response, 404, 'no fleet')
  await streamMessages(response, (signal) => fleetMessages(fleet, signal))
}

async function sendResult(query: URLSearchParams, response: ServerResponse, { runs }: RouteContext): Promise<void> {
  const path = runs.pathOf(query.get('run') ?? '')
  const result = path === undefined ? undefined : await readResultAt(path, Number(query.get('at')))
  if (result === undefined) return end(response, 404, 'no such result')
  end(response, 200, cappedLine(result), 'application/json; charset=utf-8')
}

/** The run as it was written, for an export. */
async function sendEvents(query: URLSearchParams, response: ServerResponse, { runs }: RouteContext): Promise<void> {
  const path = runs.pathOf(query.get('run') ?? '')
  if (path === undefined) return end(response, 404, 'no such run')
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="events.jsonl"',
  })
  await pipeline(createReadStream(path), response)
}

async function sendHistory(query: URLSearchParams, response: ServerResponse, { runs }: RouteContext): Promise<void> {
  const name = { id: query.get('case') ?? '', variant: query.get('variant') ?? undefined }
  const points = await runs.history(name, query.get('run') ?? undefined)
  end(response, 200, JSON.stringify(points), 'application/json; charset=utf-8')
}

async function sendComparison(query: URLSearchParams, response: ServerResponse, context: RouteContext): Promise<void> {
  const [before, after] = ['before', 'after'].map((side) => context.runs.pathOf(query.get(side) ?? ''))
  if (before === undefined || after === undefined) return end(response, 404, 'no such run')
  const { compareRuns } = await import('../pipeline/report/compare/compare.js')
  const { overviewOf } = await import('../pipeline/report/compare/overview-of.js')
  const judged = { before: await sourceOf(before, context), after: await sourceOf(after, context) }
  const found = await compareRuns(recordingOf(before), recordingOf(after), { judged }).then(
    ({ comparison, cases }) => ({ overview: overviewOf(comparison), cases }),
    // A damaged file is for the user to repair: the message says where, but no path leaves the server.
    (error: unknown) => {
      if (error instanceof UserError) return { error: withoutFolders(error.message, [before, after]) }
      throw error
    },
  )
  end(response, 200, JSON.stringify(found), 'application/json; charset=utf-8')
}

/** `null` for a run with one variant, or of a file that cannot be read: the stream says what is wrong with it. */
async function sendVariants(query: URLSearchParams, response: ServerResponse, context: RouteContext): Promise<void> {
  const path = context.runs.pathOf(query.get('run') ?? '')
  if (path === undefined) return end(response, 404, 'no such run')
  const { variantsOverview } = await import('../pipeline/report/variants-overview.js')
  const { correctedRecording } = await import('../pipeline/report/corrected-recording.js')
  const recording = await correctedRecording(recordingOf(path), await sourceOf(path, context))
  const found = await variantsOverview(recording).catch((error: unknown) => {
    if (error instanceof UserError) return undefined
    throw error
  })
  end(response, 200, JSON.stringify(found ?? null), 'application/json; charset=utf-8')
}

async function sendSuite(
  query: URLSearchParams,
  response: ServerResponse,
  { runs, examine }: RouteContext,
): Promise<void> {
  const path = runs.pathOf(query.get('run') ?? '')
  if (path === undefined || !examine) return end(response, 404, 'no such run')
  const found = await examine(path).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    return { error: withoutFolders(`${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`, [path]) }
  })
  end(response, 200, JSON.stringify(found), 'application/json; charset=utf-8')
}

function withoutFolders(text: string, paths: string[]): string {
  return paths.reduce((rest, path) => rest.replaceAll(path, basename(path)), text)
}

function sendPage(response: ServerResponse, assets: ViewerAssets): void {
  end(response, 200, pageHead('viva view', assets, 'live') + pageApp(assets) + pageTail(), 'text/html; charset=utf-8')
}

export function setHeaders(response: ServerResponse, assets: ViewerAssets): void {
  response.setHeader('content-security-policy', `${contentPolicy(assets, 'live')}; frame-ancestors 'none'`)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cache-control', 'no-store')
}

export function end(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type })
  response.end(text)
}
