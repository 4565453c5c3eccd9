// What the probes of one case share: the server under test in its place, and the evidence that is gathered.
import { join } from 'node:path'
import { defined } from '../base/defined.js'
import { readString, isRecord } from '../base/record.js'
import type { Sample } from '../json-schema/values/sample.js'
import type { RemoteServer } from '../mcp-client/server.js'
import { openSession, type McpSession } from '../mcp-client/session.js'
import type { McpEnvironment } from '../mcp-client/wire.js'
import type { ContractEvidence, ContractSubject } from '../model/contract.js'
import { resultOf } from '../mcp-client/exchange.js'
import type { WatchedFolder } from './folder-state.js'
import { installFolder } from './install-folder.js'
import { preparePlace, type ServerPlace } from './place.js'
import { Prober } from './prober.js'
import type { Distrusted } from './reader-state.js'
import { sampleIn } from './sample-here.js'

export interface ContractContext {
  server: RemoteServer
  environment: McpEnvironment
  /** Where a program works. */
  workspace?: string | undefined
  signal: AbortSignal
  /** Milliseconds that are left for the case. */
  left(): number
  /** Whether other cases call the same server at this moment: what it writes where all of them write is nobody's then. */
  isAlone(): boolean
  /** Tools that are of no use for learning the state of the server. */
  distrusted: Distrusted
}

export interface SubjectRun {
  context: ContractContext
  evidence: ContractEvidence
  prober: Prober
  folders: WatchedFolder[]
  sample: Sample
  /** Where the server works; undefined if it is elsewhere. */
  cwd: string | undefined
  limitMs: number
  /** Another server in a folder of its own, for comparison. */
  another(): Promise<{ prober: Prober; folders: WatchedFolder[]; sample: Sample }>
}

/** A call may take a fifth of the case: by default a minute, which is as long as common clients wait. */
const SHARE = 5
const LEAST_MS = 500
const START_MS = 10_000

export async function startSubject(subject: ContractSubject, context: ContractContext): Promise<SubjectRun> {
  const limitMs = Math.max(LEAST_MS, Math.round(context.left() / SHARE))
  const evidence: ContractEvidence = {
    subject,
    server: { asked_protocol: '', known_protocols: [] },
    probes: [],
    changes: [],
    changes_again: [],
    not_watched: [],
    undecided: [],
    lists: [],
    faults: [],
    left_out: [],
  }
  let others = 0
  const open = async (folder: string | undefined) => {
    const place = await placeOf(context, folder)
    const prober = new Prober({
      open: () => openIn(context, place, limitMs),
      signal: context.signal,
      limitMs,
      left: context.left,
    })
    return { prober, folders: foldersOf(context, place, others), sample: sampleIn(place?.cwd), cwd: place?.cwd }
  }
  return {
    context,
    evidence,
    limitMs,
    ...(await open(context.workspace)),
    another: async () => {
      others++
      return open(context.workspace === undefined ? undefined : join(context.workspace, `${OTHER}${others}`))
    },
  }
}

export const OTHER = '.viva-other-'

async function placeOf({ server, environment }: ContractContext, folder: string | undefined) {
  if (server.transport !== 'stdio' || folder === undefined) return undefined
  return preparePlace(folder, server, environment.env)
}

function openIn(
  { server, environment, signal, left }: ContractContext,
  place: ServerPlace | undefined,
  limitMs: number,
): Promise<McpSession> {
  return openSession(server, environment, {
    signal,
    // A server that hangs is a finding, so it is given up before the case is.
    timeoutMs: Math.min(Math.max(limitMs, START_MS), left() * 0.8),
    ...(place && { cwd: place.cwd, env: place.env }),
  })
}

function foldersOf({ server }: ContractContext, place: ServerPlace | undefined, others: number): WatchedFolder[] {
  if (server.transport !== 'stdio' || !place) return []
  const install = installFolder(server)
  const isInside = install?.startsWith(place.cwd) === true || place.cwd.startsWith(`${install}/`)
  return [
    {
      where: 'workspace',
      path: place.cwd,
      without: [place.home, ...Array.from({ length: others + 2 }, (_, index) => join(place.cwd, `${OTHER}${index}`))],
    },
    { where: 'home', path: place.home, without: [] },
    ...(install === undefined || isInside
      ? []
      : [{ where: 'install' as const, path: install, without: ['.viva', '.git'].map((name) => join(install, name)) }]),
  ]
}

/** Notes what the server says about itself; undefined if it did not start. */
export async function describeServer({ evidence, prober, cwd }: SubjectRun): Promise<McpSession | undefined> {
  const { SUPPORTED_PROTOCOL_VERSIONS, LATEST_PROTOCOL_VERSION } = await import('@modelcontextprotocol/client')
  evidence.server = {
    asked_protocol: LATEST_PROTOCOL_VERSION,
    known_protocols: [...SUPPORTED_PROTOCOL_VERSIONS],
  }
  const session = await prober.session()
  if (typeof session === 'string') {
    // The folder is another one for each case.
    evidence.not_started = cwd === undefined ? session : session.replaceAll(cwd, '<workspace>')
    return undefined
  }
  const info = resultOf(session.initialized)?.['serverInfo']
  const { name, version } = isRecord(info) ? info : {}
  Object.assign(
    evidence.server,
    defined({ name: readString(name), version: readString(version), protocol: session.protocolVersion }),
  )
  return session
}
