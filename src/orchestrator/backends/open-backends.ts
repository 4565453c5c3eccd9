// The backends of a run: each created once, checked before the run begins, behind the recording if there is one.
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import type { RecordingCounts } from '../../model/cassette.js'
import { isoNow } from '../../time/iso-now.js'
import type { RunCassette } from '../../recordings/run-cassette.js'
import type { EventsFile } from '../events-file.js'
import type { BackendChoice, Hat } from '../hats.js'
import type { LoopEnd } from '../loop.js'
import type { LoopRecording, RunLoopInit } from '../run-types.js'
import type { Backend } from './backend.js'
import { loadProgram, unknownBackend } from './kinds.js'
import type { MockBackend } from './mock.js'
import { createProgramBackend } from './program.js'
import { requireBackends, setVariables, type ReadyContext } from './ready.js'

export interface BackendContext {
  env: Record<string, string>
  events: EventsFile
  /** Paths that the orchestrator itself writes. */
  own: ReadonlySet<string>
}

export interface OpenBackends {
  get(choice: BackendChoice | undefined, context: BackendContext): Promise<Backend>
  finish(end: LoopEnd): {
    mock_responses_consumed?: number
    mock_responses_remaining?: number
    recording?: RecordingCounts
  }
  close(): void
}

export async function openBackends(
  init: RunLoopInit,
  main: BackendChoice,
  warn: (text: string) => void,
): Promise<OpenBackends> {
  const { recording, config, limits } = init
  if (main.type === 'replay' && recording?.mode !== 'replay') throw noCassette()
  const mock = await mockOf(init, main, config.hats)
  const cassette = recording && (await openCassette(init, recording, warn))
  try {
    const live = main.type === 'replay' ? passthroughOf(cassette?.backend) : main
    const isNeeded = recording?.mode !== 'replay' || (recording.on_missing ?? 'error') !== 'error'
    const made = new Map<string, Promise<Backend>>()
    const make = (choice: BackendChoice, context: BackendContext): Promise<Backend> => {
      const key = JSON.stringify(choice)
      let backend = made.get(key)
      if (!backend) made.set(key, (backend = create(choice, init, context.env, mock)))
      return backend
    }
    if (isNeeded) {
      if (live === undefined) throw noPassthrough(recording?.path ?? '')
      requireNoProgram(live, config.hats, init.allow_backends)
      const wanted = new Map(
        [live, ...config.hats.flatMap(({ backend }) => backend ?? [])].map((each) => [JSON.stringify(each), each]),
      )
      await requireBackends([...wanted.values()], { ...readyContext(init), ...defined({ note: init.note }) })
      for (const choice of wanted.values()) {
        const backend = await create(choice, init, {}, mock)
        const unseen = (['max_cost', 'max_tokens'] as const).find(
          (name) =>
            (limits?.[name] ?? config[name]) !== undefined &&
            !backend.reports.includes(name === 'max_cost' ? 'cost' : 'tokens'),
        )
        if (unseen !== undefined) throw noCost(backend.name, unseen)
      }
    }
    return {
      get: async (choice, context) => {
        const open = async (): Promise<Backend> => {
          const chosen = choice ?? live
          if (chosen === undefined) throw noPassthrough(recording?.path ?? '')
          return make(chosen, context)
        }
        if (!cassette) return open()
        const { createRecordedBackend } = await import('./recorded.js')
        const { cwd } = init
        const { onLive, onPlayed } = recording?.mode === 'replay' ? recording : {}
        return createRecordedBackend(open, {
          cassette: cassette.cassette,
          cwd,
          own: context.own,
          events: context.events,
          warn,
          ...defined({ onLive, onPlayed, hide: recording?.hide }),
        })
      },
      finish: (end) =>
        defined({
          mock_responses_consumed: mock?.consumed(),
          mock_responses_remaining: mock?.remaining(),
          recording: cassette?.finish(end, live?.type ?? 'unknown'),
        }),
      close: () => cassette?.cassette.close(),
    }
  } catch (error) {
    cassette?.cassette.close()
    throw error
  }
}

/** A scripted run starts no program, even if a hat names one, unless it is allowed by name. */
function requireNoProgram({ type }: BackendChoice, hats: readonly Hat[], allowed: readonly string[] = []): void {
  const others = hats.filter(({ backend }) => backend && backend.type !== 'mock' && !allowed.includes(backend.type))
  if (type === 'mock' && others.length > 0) throw notScripted(others)
}

async function create(
  choice: BackendChoice,
  init: RunLoopInit,
  env: Record<string, string>,
  mock: MockBackend | undefined,
): Promise<Backend> {
  if (choice.type === 'mock' && mock) return mock
  if (choice.type === 'replay' || choice.type === 'ralph' || choice.type === 'mock') throw notForAHat(choice.type)
  const program = await loadProgram(choice.type)
  if (choice.type === 'custom' && choice.command === undefined) throw noCommand()
  const { pass_env, ...context } = readyContext(init)
  return createProgramBackend(program, choice, {
    ...context,
    commandDir: init.processes.cwd,
    env,
    pass_env: [...pass_env, ...setVariables(program.variables, init.processes.env)],
  })
}

function readyContext({ cwd, processes, env = {}, pass_env = [] }: RunLoopInit): ReadyContext {
  // Viva's caller may be orchestrated too: its loop is not the child's.
  return { cwd, processes, env, pass_env: pass_env.filter((name) => !name.startsWith('RALPH_')) }
}

async function mockOf(
  { mock_responses, scripted = {}, cwd }: RunLoopInit,
  main: BackendChoice,
  hats: Hat[],
): Promise<MockBackend | undefined> {
  const isUsed = main.type === 'mock' || hats.some(({ backend }) => backend?.type === 'mock')
  if (!isUsed && mock_responses === undefined) return undefined
  if (mock_responses === undefined) throw noResponses()
  if (!isUsed) throw unusedResponses(main.type)
  const { createMockBackend, openMockScript } = await import('./mock.js')
  scripted.script ??= openMockScript(mock_responses)
  return createMockBackend(scripted.script, cwd)
}

interface OpenCassette {
  cassette: RunCassette
  /** What was recorded, as the cassette says. */
  backend: string | undefined
  finish(end: LoopEnd, backend: string): RecordingCounts
}

async function openCassette(
  init: RunLoopInit,
  { mode, path, strict = true, on_missing = 'error', patterns = {} }: LoopRecording,
  warn: (text: string) => void,
): Promise<OpenCassette> {
  const { RunCassette } = await import('../../recordings/run-cassette.js')
  const { Normaliser } = await import('../../recordings/normalise.js')
  const { readCassette } = await import('../../recordings/read-cassette.js')
  const { RECORDED_LANES } = await import('../../model/cassette.js')
  const cassette = new RunCassette({
    path,
    flag: mode === 'record' ? '--record' : '--replay',
    lanes: Object.fromEntries(RECORDED_LANES.map((lane) => [lane, lane === 'hat' ? mode : 'live'])) as CassetteLanes,
    onMissing: mode === 'replay' ? on_missing : 'error',
    strict,
    normaliser: new Normaliser({ secrets: init.redactor, patterns, root: init.cwd }),
    run_id: init.run_id,
    now: isoNow().slice(0, 19),
    warn,
  })
  const backend = readCassette(path)?.backend
  return {
    cassette,
    backend,
    finish: ({ reason, iterations, error }, name) => {
      // Half a conversation is not a recording, and must not replace a whole one.
      if (error !== undefined || reason === 'Interrupted' || reason === 'Cancelled') {
        if (cassette.discard()) warn(`nothing was recorded in ${path}: the run was cut off`)
      }
      for (const text of cassette.tolerated()) warn(text)
      return cassette.finish({
        agent: name,
        recorded: isoNow(),
        // A run that broke off asked for less than it would have.
        whole: error === undefined,
        more: { backend: name, iterations, termination_reason: reason },
      })
    },
  }
}

type CassetteLanes = ConstructorParameters<typeof RunCassette>[0]['lanes']

function passthroughOf(backend: string | undefined): BackendChoice | undefined {
  return backend === undefined || backend === 'unknown' ? undefined : { type: backend }
}

function noCassette(): UserError {
  return new UserError({
    code: 'NO_CASSETTE',
    message: 'the backend replay needs a cassette',
    hint: 'name one that an earlier run has recorded',
  })
}

function noPassthrough(path: string): UserError {
  return new UserError({
    code: 'NO_PASSTHROUGH',
    message: `${path} does not say which backend was recorded, so there is nothing to pass unmatched calls through to`,
    hint: 'name the backend, or replay without passing through',
  })
}

function noResponses(): UserError {
  return new UserError({
    code: 'NO_MOCK_RESPONSES',
    message: 'the backend mock has nothing to answer with',
    hint: 'give mock_responses, a list such as [{"output": "<event topic=\\"build.task\\">…</event>"}], or name a real backend',
  })
}

function unusedResponses(backend: string): UserError {
  return new UserError({
    code: 'UNUSED_MOCK_RESPONSES',
    message: `mock_responses are given, but the backend is ${backend}`,
    hint: 'use the backend mock, or leave them out',
  })
}

function notScripted(hats: readonly Hat[]): UserError {
  const named = hats.map(({ id, backend }) => `${id} (${backend?.type ?? ''})`).join(', ')
  return new UserError({
    code: 'NOT_SCRIPTED',
    message: `the run is scripted, but ${hats.length === 1 ? 'a hat names its own backend' : 'hats name their own backends'}: ${named}`,
    hint: 'remove the backend of the hat or set it to mock, allow it by name (viva run --allow-backend, allow_backends), or name a real backend for the run instead of mock',
  })
}

function notForAHat(type: string): UserError {
  if (type === 'mock') return noResponses()
  if (type === 'ralph' || type === 'replay')
    return new UserError({
      code: 'UNKNOWN_BACKEND',
      message: `${type} cannot play a single hat`,
      hint: `give ${type} as the backend of the whole run`,
    })
  return unknownBackend(type)
}

function noCommand(): UserError {
  return new UserError({
    code: 'NO_COMMAND',
    message: 'the backend custom names no command',
    hint: 'set cli.command, e.g. {"backend": "custom", "command": "my-agent"}',
  })
}

function noCost(backend: string, limit: string): UserError {
  return new UserError({
    code: 'COST_UNKNOWN',
    message: `${limit} is set, but ${backend} does not report what its answers cost`,
    hint: 'limit iterations or runtime instead',
  })
}
