// `viva view`: the report's application on loopback, following a run or listing those of a folder.
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { UserError } from '../errors.js'
import { closeServer, listenOn } from '../http/listen.js'
import { loadViewerAssets, type ViewerAssets } from '../pipeline/report/html/assets.js'
import type { Reruns } from './actions.js'
import type { AccessRules } from './access.js'
import type { FleetSource } from './fleet.js'
import type { CaseOpener } from './open-case.js'
import { openBrowser } from './open-browser.js'
import { answer, type ExamineSuite, type JudgedBeside, type RouteContext } from './routes.js'
import { openRuns, type RunSource } from './runs.js'

export interface ViewerOptions {
  /** An event file, growing or finished, or a folder of them. */
  events: string
  /** 0 or absent: a free one. */
  port?: number
  host?: string
  /** Must be allowed explicitly for any address but loopback. */
  exposed?: boolean
  /** Start the system's browser. */
  open?: boolean
  /** Where `--history` keeps runs, for the trend of a case. */
  historyDir?: string
  /** What people have said about the judges of a run. */
  judgedBeside?: JudgedBeside
  /** Looks at the suite behind a run. Not for other machines: it reads case files and takes its time. */
  examine?: ExamineSuite
  /** Another place to find runs. */
  runs?: RunSource
  /** Where runs are handed to workers. Closed with the viewer. */
  fleet?: FleetSource
  /** Cases may be run again from the page. Closed with the viewer. */
  reruns?: Reruns
  /** Cases may be opened in an editor from the page. */
  opener?: CaseOpener
  assets?: ViewerAssets
}

export interface Viewer {
  /** With the key in the fragment, which browsers never send. */
  url: string
  token: string
  close(): Promise<void>
}

const MOST_SOCKETS = 50

export async function serveViewer(options: ViewerOptions): Promise<Viewer> {
  const host = options.host ?? '127.0.0.1'
  if (!isLoopback(host) && !options.exposed) throw notLoopback(host)
  if (options.exposed && (options.reruns || options.opener)) throw noActionsExposed()
  const runs = options.runs ?? (await openRuns(options.events, options.historyDir))
  const assets = options.assets ?? (await loadViewerAssets())
  const token = randomBytes(24).toString('base64url')
  const rules: AccessRules = { port: 0, token, exposed: options.exposed === true }
  const { fleet, reruns, opener, judgedBeside } = options
  const examine = options.exposed ? undefined : options.examine
  const server = createViewerServer({
    assets,
    runs,
    rules,
    ...(judgedBeside && { judgedBeside }),
    ...(examine && { examine }),
    ...(fleet && { fleet }),
    ...(reruns && { reruns }),
    ...(opener && { opener }),
  })
  rules.port = await listenOn(server, { port: options.port ?? 0, host, code: 'VIEWER_PORT' })
  await runs.list()
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const url = `http://${shownHost}:${rules.port}/#key=${token}`
  const stopBrowser = options.open ? await openBrowser(url) : undefined
  return {
    url,
    token,
    async close() {
      await stopBrowser?.()
      await closeServer(server)
      fleet?.close()
      await reruns?.close()
    },
  }
}

function createViewerServer(context: RouteContext): Server {
  const server = createServer((request, response) => {
    answer(request, response, context).catch(() => {
      // The file vanished, or the client did: there is no one to report it to.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end()
    })
  })
  server.maxConnections = MOST_SOCKETS
  server.on('upgrade', (_request, socket) => socket.destroy())
  return server
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === 'localhost' || host === '::1'
}

function noActionsExposed(): UserError {
  return new UserError({
    code: 'VIEWER_EXPOSED',
    message: 'other machines could start programs here',
    hint: 'run cases again, and open them, only from a viewer on loopback',
  })
}

function notLoopback(host: string): UserError {
  return new UserError({
    code: 'VIEWER_EXPOSED',
    message: `the viewer would be reachable from other machines on ${host}`,
    hint: 'leave the host out, or allow it explicitly',
  })
}
