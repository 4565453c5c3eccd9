// `viva proxy`: a recording of the model calls of any program, outside a test run.
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import { findAppRoot } from '../files/app-root.js'
import { openHttp } from '../http/open-http.js'
import { RECORDED_LANES, type RecordedLane, type RecordingCounts } from '../model/cassette.js'
import { pathTexts } from '../model/redacted-path.js'
import { DEFAULT_OPTIONS } from '../config/options.js'
import { keysFor, upstreamsOf } from '../recordings/proxy/upstream.js'
import { proxyEnv, serveProxy } from '../recordings/proxy/serve.js'
import { openCassettes } from '../recordings/cassette-files.js'
import { unsavedFileOf, readUnsaved } from '../recordings/unsaved.js'
import { placeOf } from '../recordings/cassette-files.js'
import { Normaliser } from '../recordings/normalise.js'
import type { LaneMode } from '../recordings/policy.js'
import { RunCassette, type RunCassetteInit } from '../recordings/run-cassette.js'
import { createRedactor, type Redactor } from '../redact/redactor.js'
import { monotonicNow } from '../time/clock.js'
import { loadConfig } from '../config/load-config.js'
import { secretsOf } from '../config/known-secrets.js'
import { wallTime } from '../recordings/wall-time.js'

export interface ProxyOptions {
  record?: string
  replay?: string
  record_new?: boolean
  allow_passthrough?: boolean
  no_strict?: boolean
  realtime?: boolean
  /** The conversation of calls whose address names none. */
  case?: string
  port?: number
  openai_url?: string
  anthropic_url?: string
  google_url?: string
}

export interface ProxyIo {
  cwd: string
  env: Record<string, string | undefined>
  now(): Date
  useRedactor(redactor: Redactor): void
  warn(text: string): void
}

export interface OpenProxy {
  /** `…/openai/v1`, `…/anthropic` and `…/google` are below it, and `…/case/ID` for calls of a conversation. */
  url: string
  /** For a program whose calls should come here. */
  env: Record<string, string>
  /** Writes the recording. `failures`: calls that could not be answered. */
  finish(): { counts: RecordingCounts; failures: number }
  close(): Promise<void>
}

/** Recordings of the proxy have this in place of a run: whatever was answered counts. */
const PROXY_RUN = 'proxy'
const DEFAULT_CASE = 'command'

export async function openProxy(options: ProxyOptions, io: ProxyIo): Promise<OpenProxy> {
  const { env } = io
  const upstreams = upstreamsOf({
    ...env,
    ...defined({
      OPENAI_BASE_URL: options.openai_url,
      ANTHROPIC_BASE_URL: options.anthropic_url,
      GOOGLE_GEMINI_BASE_URL: options.google_url,
    }),
  })
  const init = await cassetteInit(options, io)
  recover(init)
  const cassette = openCassette(init)
  const http = openHttp({ env })
  const over = new AbortController()
  const cases = new Set<string>()
  let failures = 0
  try {
    const proxy = await serveProxy({
      cassette,
      normaliser: init.normaliser,
      http,
      ...defined({ port: options.port, realtime: options.realtime }),
      onRefused: (text) => {
        failures++
        init.warn(text)
      },
    })
    const { url } = proxy.open({
      callOf: (caseId = options.case ?? DEFAULT_CASE) => {
        cases.add(caseId)
        return { lane: 'agent', role: PROXY_RUN, case_id: caseId, run: 1, attempt: 1 }
      },
      signal: () => over.signal,
      started: monotonicNow(),
      upstreams,
    })
    const isLive = options.record !== undefined || options.record_new === true || options.allow_passthrough === true
    return {
      url,
      env: { VIVA_PROXY_URL: url, ...proxyEnv(url, env), ...keysFor(env, isLive) },
      finish: () => {
        for (const id of cases) {
          const told: { warnings?: string[] } = cassette.settle({ id, run: 1, status: 'passed', warnings: [] })
          for (const warning of told.warnings ?? []) init.warn(`${id}: ${warning}`)
          cassette.add({ id, run: 1 })
        }
        return {
          counts: cassette.finish({ agent: PROXY_RUN, recorded: io.now().toISOString(), whole: true }),
          failures,
        }
      },
      close: async () => {
        over.abort()
        await proxy.close()
        await http.close()
        cassette.close()
      },
    }
  } catch (error) {
    cassette.close()
    await http.close()
    throw error
  }
}

async function cassetteInit(options: ProxyOptions, io: ProxyIo): Promise<RunCassetteInit> {
  const { cwd, env } = io
  const { record, replay } = options
  const path = requireFile(options)
  const appRoot = findAppRoot(cwd, cwd)
  const { config } = await loadConfig(appRoot)
  const secrets = createRedactor(secretsOf({ options: DEFAULT_OPTIONS, appRoot, config }, env))
  io.useRedactor(secrets)
  const mode: LaneMode = replay === undefined ? 'record' : 'replay'
  const flag = record === undefined ? '--replay' : '--record'
  return {
    path: placeOf(cwd, path, flag),
    flag,
    lanes: Object.fromEntries(RECORDED_LANES.map((lane) => [lane, mode])) as Record<RecordedLane, LaneMode>,
    onMissing: options.record_new ? 'record' : options.allow_passthrough ? 'live' : 'error',
    strict: options.no_strict !== true,
    normaliser: new Normaliser({
      secrets,
      patterns: config.redactions?.patterns ?? {},
      paths: pathTexts(config.redactions?.paths),
      root: appRoot,
    }),
    run_id: PROXY_RUN,
    now: wallTime(io.now()),
    isDone: () => true,
    warn: (text) => io.warn(secrets.text(text)),
  }
}

function requireFile({ record, replay, record_new, allow_passthrough, no_strict, realtime }: ProxyOptions): string {
  const path = record ?? replay
  if (path === undefined || path === '' || (record !== undefined && replay !== undefined))
    throw new UserError({
      code: 'BAD_USAGE',
      message: path ? '--record and --replay exclude each other' : 'viva proxy needs a recording',
      hint: 'give one of them: viva proxy --record FILE -- command, or viva proxy --replay FILE -- command',
    })
  const alone =
    (record_new && '--record-new') ||
    (allow_passthrough && '--allow-passthrough') ||
    (no_strict && '--no-strict') ||
    (realtime && '--realtime')
  if (alone && replay === undefined)
    throw new UserError({
      code: 'BAD_FLAG',
      message: `${alone} needs --replay`,
      hint: `give --replay FILE, or leave ${alone} out`,
    })
  if (record_new && allow_passthrough)
    throw new UserError({
      code: 'BAD_FLAG',
      message: '--record-new and --allow-passthrough exclude each other',
      hint: 'give one of them',
    })
  return path
}

function openCassette(init: RunCassetteInit): RunCassette {
  try {
    return new RunCassette(init)
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'NO_CASSETTE') throw error
    throw error.as({ hint: `record it first: viva proxy --record ${init.path} -- command` })
  }
}

/** What a killed proxy has left is folded into its recording first. */
function recover(init: RunCassetteInit): void {
  const { base } = openCassettes(init.path)
  const left = readUnsaved(unsavedFileOf(base))
  if (left?.start.run_id !== PROXY_RUN) return
  const lanes = Object.fromEntries(RECORDED_LANES.map((lane) => [lane, 'record'])) as Record<RecordedLane, LaneMode>
  const cassette = new RunCassette({ ...init, lanes })
  try {
    cassette.finish({ agent: PROXY_RUN, recorded: init.now, whole: false })
    init.warn(`${init.path}: added what an interrupted proxy had recorded`)
  } finally {
    cassette.close()
  }
}
