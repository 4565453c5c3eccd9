// The labelling screen on loopback: one answer at a time, and what the judge said only after a person has decided.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isRecord, readString } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import { closeServer, listenOn } from '../../http/listen.js'
import type { DecideRequest, Decided, LabelProgress } from '../../model/label-screen.js'
import { loadViewerAssets, type ViewerAssets } from '../../pipeline/report/html/assets.js'
import { pageApp, pageHead, pageTail } from '../../pipeline/report/html/page.js'
import { refuseData, refuseForeign, type AccessRules } from '../access.js'
import { openBrowser } from '../open-browser.js'
import { end, setHeaders } from '../routes.js'

export interface LabelDesk {
  progress(): LabelProgress
  /** Undefined: there is no such answer. */
  decide(request: DecideRequest): Decided | undefined
}

export interface LabelServer {
  /** With the key in the fragment, which browsers never send. */
  url: string
  close(): Promise<void>
}

export async function serveLabels(
  desk: LabelDesk,
  { port = 0, open = false }: { port?: number; open?: boolean },
): Promise<LabelServer> {
  const assets = await loadViewerAssets(undefined, 'label')
  const token = randomBytes(24).toString('base64url')
  const rules: AccessRules = { port: 0, token, exposed: false }
  const server = createServer((request, response) => {
    answer(request, response, { desk, assets, rules }).catch(() => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end()
    })
  })
  rules.port = await listenOn(server, { port, host: '127.0.0.1', code: 'VIEWER_PORT' })
  const url = `http://127.0.0.1:${rules.port}/#key=${token}`
  const stopBrowser = open ? await openBrowser(url) : undefined
  return {
    url,
    close: async () => {
      await stopBrowser?.()
      await closeServer(server)
    },
  }
}

interface Context {
  desk: LabelDesk
  assets: ViewerAssets
  rules: AccessRules
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { desk, assets, rules } = context
  setHeaders(response, assets)
  const foreign = refuseForeign(request, rules)
  if (foreign) return end(response, foreign.status, foreign.reason)
  const what = `${request.method} ${request.url}`
  if (what === 'GET /') {
    const page = pageHead('viva label', assets, 'live') + pageApp(assets) + pageTail()
    return end(response, 200, page, 'text/html; charset=utf-8')
  }
  const closed = refuseData(request, rules)
  if (closed) return end(response, closed.status, closed.reason)
  if (what === 'GET /api/label') return sendJson(response, desk.progress())
  if (what !== 'POST /api/label') return end(response, 404, 'not found')
  // A form of another site could post without saying where it comes from.
  if (request.headers.origin !== `http://${request.headers.host}`) return end(response, 403, 'no Origin')
  const given = readDecision(await bodyOf(request))
  if (!given) return end(response, 400, 'expected {"key", "verdict": "pass" | "fail" | "cannot_tell", "note"}')
  const decided = desk.decide(given)
  if (!decided) return end(response, 404, 'no such answer')
  sendJson(response, decided)
}

const MOST_BYTES = 64 * 1024

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readDecision(text: string): DecideRequest | undefined {
  const value = parseJson(text)?.value
  if (!isRecord(value)) return undefined
  const key = readString(value['key'])
  const verdict = value['verdict']
  const note = readString(value['note'])
  if (key === undefined || (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'cannot_tell')) return undefined
  return { key, verdict, ...(note !== undefined && { note }) }
}

function sendJson(response: ServerResponse, value: unknown): void {
  end(response, 200, JSON.stringify(value), 'application/json; charset=utf-8')
}
