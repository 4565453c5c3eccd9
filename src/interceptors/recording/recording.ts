// `--record` and `--replay` as an interceptor: the cassette around models, tools, and agents that call their model themselves.
import { liveRefused } from '../../errors.js'
import { relative } from 'node:path'
import { flagValue } from '../../config/flag-value.js'
import type { AroundTools } from '../../agents/package/tools/toolbox.js'
import type { ToolOutcome } from '../../model/given-tools.js'
import type { PromptTime } from '../../agents/package/prompt-variables.js'
import { defined } from '../../base/defined.js'
import { isEqual } from '../../base/equal.js'
import { once } from '../../base/once.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { asText } from '../../base/text.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import { RECORDED_LANES, TEST_LANES, type RecordedLane, type RecordedResponse } from '../../model/cassette.js'
import type { Completion, CompletionRequest, Connector, ToolSpec } from '../../model/connector.js'
import { isTested, type ModelCall } from '../../model/model-call.js'
import type { RunOptions } from '../../config/options.js'
import type { TestCase } from '../../model/case.js'
import { runKey, type RunName } from '../../model/run-key.js'
import type { VariantSpec } from '../../model/variant.js'
import type { WorkspaceRecorder } from '../../model/workspace.js'
import { pathTexts } from '../../model/redacted-path.js'
import { placeOf } from '../../recordings/cassette-files.js'
import { openBorrowed, type BorrowedCassette } from '../../recordings/borrowed.js'
import { Normaliser, type AskedRequest } from '../../recordings/normalise.js'
import { answerOf, recordAnswer } from '../../recordings/responses.js'
import type { LaneMode } from '../../recordings/policy.js'
import type { EntryShare } from '../../recordings/share.js'
import type { Exchange } from '../../recordings/exchange.js'
import { RunCassette, type RunCassetteInit } from '../../recordings/run-cassette.js'
import type { Ending, Finding, Interceptor, InterceptorInit, ToolboxCall } from '../interceptor.js'
import { hiddenAbsence } from './hidden-absence.js'
import type { RecordHttp } from './record-http.js'
import { signedExchange } from '../../recordings/signed-exchange.js'
import { wallTime } from '../../recordings/wall-time.js'

export async function openRecording(init: InterceptorInit): Promise<Interceptor> {
  const { options, appRoot, config, cwd, run_id, redactor, warn } = init
  const loan = init.lent?.['recording'] as BorrowedCassette | undefined
  const normaliser = new Normaliser({
    // Without the patterns: in requests and answers they are numbered differently than in reports.
    secrets: config.redactions ? init.secrets() : redactor,
    patterns: config.redactions?.patterns ?? {},
    paths: pathTexts(config.redactions?.paths),
    root: appRoot,
    matching: 'exact',
  })
  const started = init.now()
  const lanes = lanesOf(options)
  const path = placeOf(cwd, options.record ?? options.replay ?? '', lanes.flag)
  const { isDone } = init
  const cassette = new RunCassette({
    ...lanes,
    normaliser,
    run_id,
    ...(loan ? borrowed(loan) : { path, now: wallTime(started), timezone: timezoneHere, at: started }),
    isDone: isDone && ((name) => isDone(runKey(name))),
    ...variantsOf(init),
    warn,
  })
  const mayReplay = RECORDED_LANES.some((lane) => cassette.isReplayed(lane))
  const http = await openHttpRecordings(cassette, normaliser, init).catch((error: unknown) => {
    cassette.close()
    throw error
  })
  return {
    name: 'recording',
    ...(http && { processEnv: http.detached, scriptEnv: http.script }),
    isOffline: options.replay !== undefined,
    promptClock: ({ case_id }) => timeOf(cassette.timeOf(case_id)),
    begin: ({ testCase, run, variant }) => {
      cassette.begin({ id: testCase.id, run, variant }, testCase.recording)
      const hidden = mayReplay ? normaliser.hiddenIn(expectationsOf(testCase)) : undefined
      if (hidden === undefined) return
      cassette.fail(callOf({ id: testCase.id, run, variant }), lostExpectation(redactor.text(hidden)))
    },
    requireAgent: (id, variant) => cassette.requireAgent(id, variant),
    // Opened on its first call if its calls may come from the recording.
    aroundConnector: async (id, open) => {
      const opened = once(open)
      if (!mayReplay) await opened()
      const complete: Connector['complete'] = (request) =>
        cassette.exchange(
          signedExchange(timelessExchange(completionExchange(id, request, opened), request), request.signed),
        )
      return { id, type: 'recorded', complete }
    },
    aroundAgent: async ({ id, isTested, isStarted, env, description }, open) => {
      if (http && isTested && isStarted) return http.agent(await open(), env ?? {})
      if (options.record_http && isTested)
        warn(`--record-http: ${id} is not started by Viva, so it is recorded as a whole`)
      const opened = once(open)
      if (!mayReplay || (isTested && !cassette.isReplayed('agent'))) {
        const agent = await opened()
        return { ...agent, send: (request) => send(cassette, request, opened, warn) }
      }
      let isOpen = false
      const atLast = (): Promise<Agent> => {
        isOpen = true
        return opened()
      }
      return {
        id,
        // A recording has what an agent wrote, and what it called.
        workspaces: 'folder',
        givenTools: 'served',
        callable: async () => undefined,
        ...defined({ description }),
        send: (request) => send(cassette, request, atLast, warn),
        close: async () => {
          if (isOpen) await (await opened()).close?.()
        },
      }
    },
    aroundTools: (toolbox) => toolsOf(cassette, toolbox),
    aroundHttp: (request, live, { origin, signal }) => scriptHttp(cassette, request, live, { origin, signal }),
    settle: (result) => {
      http?.end(result)
      const lost = mayReplay ? hiddenAbsence(result, normaliser) : undefined
      if (lost !== undefined) cassette.fail(callOf(result), lost)
      return cassette.settle(result)
    },
    add: (event) => {
      if (event.type === 'result') cassette.add(event)
    },
    finish: (ending) => {
      if (http?.calls() === 0 && !cassette.keptModelCalls && options.record !== undefined) warn(NO_CALLS)
      return finishRecording(cassette, ending, init)
    },
    files: () => cassette.places(),
    // No absolute path: it does not exist there.
    lend: async () => cassette.lend(relative(cwd, path)),
    collect: (own) => cassette.collect(own),
    take: (share, own) => {
      cassette.take(share as EntryShare, own)
      return []
    },
    close: async () => {
      await http?.close()
      cassette.close()
    },
  }
}

function finishRecording(cassette: RunCassette, { isStopped, agent }: Ending, init: InterceptorInit): Finding {
  const { options, isFiltered, isDone, now, onUnused } = init
  const mayEndEarly = options.fail_fast || options.stop_after !== undefined
  const whole = !isStopped && !isFiltered && !mayEndEarly && isDone === undefined
  const problems = cassette.unsettled()
  try {
    onUnused?.(cassette.unused(whole))
    return { summary: { recording: cassette.finish({ agent, recorded: now().toISOString(), whole }) }, problems }
  } catch (error) {
    return { problems: [...problems, messageOf(error)] }
  }
}

function callOf({ id, run, variant }: RunName): ModelCall {
  return { case_id: id, run, ...defined({ variant }), lane: 'agent', role: 'agent' }
}

/** What is looked for in answers. */
function expectationsOf({ assertions, turns, checkpoints, final_assertions, expected }: TestCase): unknown[] {
  return [assertions, turns?.map((turn) => turn.assertions), checkpoints, final_assertions, expected]
}

/** Neither its presence nor its absence can be seen there. */
function lostExpectation(shown: string): string {
  return `an assertion is about ${JSON.stringify(shown)}, which redactions hide in the recording: run this case live, or assert on what is not hidden`
}

function timezoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function borrowed(loan: BorrowedCassette): Pick<RunCassetteInit, 'path' | 'now' | 'timezone' | 'at' | 'lent'> {
  const { path, clock, timezone, at } = loan
  return { path, now: clock, timezone: () => timezone, at: new Date(at), lent: openBorrowed(loan) }
}

const NO_CALLS =
  '--record-http: no call of a model was seen; agents must take the address from OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL'

/** A recording with model calls is replayed the way it was made. */
async function openHttpRecordings(
  cassette: RunCassette,
  normaliser: Normaliser,
  { options, env, live, onStray }: InterceptorInit,
): Promise<RecordHttp | undefined> {
  const wasRecorded = options.record === undefined && cassette.holdsModelCalls()
  if (!options.record_http && !wasRecorded) return undefined
  if (live === false) throw liveRefused('the recording holds the model calls of a program, which must run')
  const { openRecordHttp } = await import('./record-http.js')
  return openRecordHttp({
    cassette,
    normaliser,
    env,
    realtime: options.realtime,
    isReplayed: cassette.isReplayed('agent') && !options.record_new && !options.allow_passthrough,
    onStray: (message) => onStray(message, 'recording'),
  })
}

function variantsOf({ variants }: InterceptorInit): Pick<RunCassetteInit, 'variants' | 'variant'> {
  const [{ name }] = variants as [VariantSpec]
  if (variants.length > 1) return { variants: variants.map((variant) => variant.name) }
  return name === '' ? {} : { variant: name }
}

function lanesOf(options: RunOptions): Pick<RunCassetteInit, 'flag' | 'lanes' | 'onMissing' | 'strict'> {
  const isRecorded = options.record !== undefined
  const live = new Set(options.live.map(laneOf))
  const modeOf = (lane: RecordedLane): LaneMode => (live.has(lane) ? 'live' : isRecorded ? 'record' : 'replay')
  const lanes = Object.fromEntries(RECORDED_LANES.map((lane) => [lane, modeOf(lane)])) as Record<RecordedLane, LaneMode>
  return {
    flag: isRecorded ? '--record' : '--replay',
    lanes,
    onMissing: options.record_new ? 'record' : options.allow_passthrough ? 'live' : 'error',
    strict: !options.no_strict,
  }
}

function laneOf(given: string): RecordedLane {
  return flagValue('--live', 'give a lane for each --live', () => {
    const lane = TEST_LANES.find((known) => known === given)
    if (lane === undefined) throw new Error(`expected one of ${TEST_LANES.join(', ')}, found "${given}"`)
    return lane
  })
}

export function completionExchange(
  connector: string,
  request: CompletionRequest,
  open: () => Promise<Connector>,
): Exchange<Completion> {
  const { messages, tools, options, call, signal, onWait } = request
  return {
    call,
    asked: { connector, messages, parameters: options, ...defined({ tools }) },
    isCommon: async () => (await open()).type !== 'mock',
    signal,
    onWait,
    live: async (wait) => (await open()).complete({ ...request, onWait: wait }),
    record: recordAnswer,
    replay: (response) => {
      const answer = answerOf(response)
      return { ...answer, content: asText(answer.content ?? '') } as Completion
    },
  }
}

/** The time that prompts state is kept by its name: it is the same whenever it is asked. */
function timelessExchange(
  exchange: Exchange<Completion>,
  { messages, timeless }: CompletionRequest,
): Exchange<Completion> {
  if (!timeless) return exchange
  const prompts = timeless()
  const asked = { ...exchange.asked, messages: [...prompts, ...messages.slice(prompts.length)], told: messages }
  return { ...exchange, asked }
}

async function send(
  cassette: RunCassette,
  request: AgentRequest,
  open: () => Promise<Agent>,
  warn: (text: string) => void,
): Promise<AgentReply> {
  const { call, signal, onWait, workspaceRecorder, toolsRecorder } = request
  let isLive = false
  const exchange: Exchange<AgentReply> = {
    call,
    asked: askedOf(request),
    // A helper; the agent under test has its own answers.
    isCommon: async () => true,
    signal,
    onWait,
    live: async (wait) => {
      isLive = true
      const given = await (await open()).send({ ...request, onWait: wait })
      const served = (await toolsRecorder?.made()) ?? []
      const answer = served.length > 0 ? { ...given, served_calls: served } : given
      return workspaceRecorder ? withFiles(answer, workspaceRecorder, call, warn) : answer
    },
    record: recordAnswer,
    replay: (response) => answerOf(response) as unknown as AgentReply,
  }
  const reply = await cassette.exchange(signedExchange(exchange, request.signed))
  if (!isLive && toolsRecorder) await toolsRecorder.play(reply.served_calls ?? [])
  if (!isLive && workspaceRecorder) await workspaceRecorder.write(reply.files ?? {}, reply.files_left_out ?? [])
  return reply
}

/** What was written is part of the answer: when it is played back, someone must write it. */
async function withFiles(
  reply: AgentReply,
  cassette: WorkspaceRecorder,
  { case_id = '' }: AgentRequest['call'],
  warn: (text: string) => void,
): Promise<AgentReply> {
  const { files, left_out } = await cassette.written()
  if (left_out.length > 0)
    warn(`${case_id}: only small text files are recorded; left out: ${left_out.slice(0, 5).join(', ')}`)
  return {
    ...reply,
    ...(Object.keys(files).length > 0 && { files }),
    ...(left_out.length > 0 && { files_left_out: left_out }),
  }
}

/** A tool is recorded as a whole, including the models it asks; what a helper calls is part of the helper. */
function toolsOf(cassette: RunCassette, { call, signal, onWait }: ToolboxCall): AroundTools {
  const lane = isTested(call) ? 'tools' : call.lane
  const roleOf = (name: string): string => (lane === 'tools' ? `tools:${name}` : `${lane}:tools:${name}`)
  const waited = sideBySide(onWait)
  return {
    list: (server, live) =>
      cassette.once({
        call: { ...call, lane, role: roleOf(server) },
        asked: { messages: ['the tools of the server'] },
        live,
        record: (tools, durationMs) => recordAnswer({ content: tools, tool_calls: [] }, durationMs),
        replay: ({ output }) => output as ToolSpec[],
      }),
    call: ({ name, arguments: args }, live) => {
      const own = { ...call, lane, role: roleOf(name) }
      const round = waited.start()
      return cassette
        .exchange<ToolOutcome>({
          call: own,
          asked: { messages: [{ name, arguments: args }] },
          signal,
          onWait: round,
          live: () => live({ ...call, lane, within: true }),
          record: recordOutcome,
          replay: ({ output }) => ({ result: output }),
        })
        .finally(waited.end)
    },
  }
}

function recordOutcome(outcome: ToolOutcome, durationMs: number): RecordedResponse {
  if ('result' in outcome) return recordAnswer({ content: outcome.result, tool_calls: [] }, durationMs)
  return { error: { code: 'failed', message: outcome.error }, duration_ms: Math.round(durationMs) }
}

/** Concurrent calls take as long as the longest of them. */
function sideBySide(onWait: ((ms: number) => void) | undefined): { start(): (ms: number) => void; end(): void } {
  let open = 0
  let longest = 0
  return {
    start: () => {
      if (open++ === 0) longest = 0
      return (ms) => {
        const more = Math.max(0, -ms - longest)
        longest = Math.max(longest, -ms)
        onWait?.(-more)
      }
    },
    end: () => {
      open--
    },
  }
}

/** What an agent may look at to find its answer. Its chat is identified by case, run and attempt. */
function askedOf({ messages, context, options }: AgentRequest): AskedRequest {
  const { chat_id: _chat, assistant_id: _id, workspace: _workspace, home: _home, mock_mcp: _served, ...rest } = context
  const { metadata, ...own } = options
  const isRepeated = Object.entries(metadata ?? {}).every(([key, value]) => isEqual(value, context.metadata[key]))
  return { messages, parameters: { options: isRepeated ? own : options, context: rest } }
}

/** Answers are kept whole; in requests, headers do not matter. Replaced answers and failures are answers too. */
function scriptHttp(
  cassette: RunCassette,
  request: unknown,
  live: () => Promise<unknown>,
  { origin, signal }: { origin: ModelCall | undefined; signal: AbortSignal },
): Promise<unknown> {
  const lane = origin === undefined || isTested(origin) ? 'tools' : origin.lane
  const role = lane === 'tools' ? 'tools:http' : `${lane}:http`
  return cassette.exchange<unknown>({
    call: { ...origin, lane, role },
    asked: { messages: [request] },
    signal,
    live,
    record: (response, durationMs) => recordAnswer({ content: packed(response), tool_calls: [] }, durationMs),
    replay: ({ output }) => unpacked(output),
  })
}

/** JSON has no bytes. */
function packed(response: unknown): unknown {
  const data = isRecord(response) ? response['data'] : undefined
  if (!isRecord(response) || !(data instanceof Uint8Array)) return response
  return { ...response, data: null, bytes: Buffer.from(data).toString('base64') }
}

function unpacked(output: unknown): unknown {
  if (!isRecord(output) || typeof output['bytes'] !== 'string') return output
  const { bytes, ...rest } = output
  return { ...rest, data: new Uint8Array(Buffer.from(bytes, 'base64')) }
}

function timeOf({ clock, timezone }: ReturnType<RunCassette['timeOf']>): PromptTime {
  return { now: new Date(clock), wall: clock.slice(0, 19), ...defined({ timezone }) }
}
