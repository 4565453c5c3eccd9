// The judge: a backend under the hat `judge`, in its own folder, so that it can change nothing of what it judges.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../base/defined.js'
import { AgentError, UserError } from '../errors.js'
import type { AskHelper } from '../model/helper.js'
import { hasFailed } from '../orchestrator/backends/backend.js'
import { openBackends } from '../orchestrator/backends/open-backends.js'
import { parseLoopConfig, readLoopConfig } from '../orchestrator/config/read-config.js'
import { EventsFile } from '../orchestrator/events-file.js'
import type { BackendChoice } from '../orchestrator/hats.js'
import type { LoopRecording } from '../orchestrator/run-types.js'
import { Spending } from '../orchestrator/spending.js'
import { isFile } from '../files/stat.js'
import { boundBy } from '../time/deadline.js'
import type { Workspace } from '../workspaces/workspace.js'
import { requireLive, requireProject, type ToolContext } from './context.js'
import { loopConfig } from './run-in-workspace.js'
import { lastRun } from './runs.js'

const JUDGE_HAT = 'judge'
const OFFLINE = new Set(['mock', 'replay'])
/** Of one answer. */
const MAX_ANSWER_SECS = 300
/** Backends whose programs take `--model`. */
const WITH_MODEL = new Set(['claude', 'gemini', 'codex', 'opencode', 'copilot', 'kiro'])

export interface JudgeInit {
  backend?: string | undefined
  model?: string | undefined
  preset: string
  mock_responses?: unknown
  recording?: LoopRecording | undefined
}

export interface Judge {
  ask: AskHelper
  warnings: string[]
  /** What it cost; undefined: unknown. */
  cost(): number | undefined
  /** `whole`: everything that had to be asked was asked. */
  close(error?: UserError): void
}

export async function openJudge(workspace: Workspace, init: JudgeInit, context: ToolContext): Promise<Judge> {
  const { instructions, backend: presetBackend } = readPreset(init.preset, context)
  const { choice, warnings } = choose(workspace, init, presetBackend)
  const isReplayed = init.recording?.mode === 'replay'
  if (!OFFLINE.has(choice.type) && !isReplayed) requireLive(context, `the judge ${choice.type}`)
  const cwd = join(workspace.state, 'judging')
  mkdirSync(cwd, { recursive: true, mode: 0o700 })
  const opened = await openBackends(
    {
      cwd,
      task: '',
      config: parseLoopConfig({}, 'judge', () => {}),
      run_id: context.newRunId(),
      redactor: context.redactor,
      processes: context.processes,
      signal: context.signal,
      ...defined({ mock_responses: init.mock_responses, recording: init.recording }),
    },
    isReplayed ? { type: 'replay' } : choice,
    (warning) => warnings.push(warning),
  )
  const spending = new Spending()
  let asked = 0
  const ask: AskHelper = async ({ text = '', signed, onUnsigned }) => {
    const place = { env: {}, events: new EventsFile(join(cwd, 'events.jsonl')), own: new Set<string>() }
    const backend = await opened.get(undefined, place)
    const bound = boundBy(context.signal, MAX_ANSWER_SECS * 1000, `${MAX_ANSWER_SECS}s`, context.clock)
    try {
      asked += 1
      const prompt = instructions === '' ? text : `${instructions}\n\n${text}`
      const nothing = (): void => {}
      const call = { hat: JUDGE_HAT, prompt, signed, signal: bound.signal, onStart: nothing, onOutput: nothing }
      const answer = await backend.call(call)
      bound.signal.throwIfAborted()
      spending.add(answer)
      if (hasFailed(answer)) throw failed(answer.error ?? `exit code ${answer.exit_code ?? 'none'}`)
      if (answer.unsigned) onUnsigned?.()
      return answer.output
    } finally {
      bound.clear()
    }
  }
  return {
    ask,
    warnings,
    cost: () => spending.cost,
    close: (error) => {
      const facts = { iterations: asked, elapsed_secs: 0, hats: [], outputs: [], stderr: [], spending }
      try {
        opened.finish({ reason: error ? 'Error' : 'CompletionPromise', ...facts, ...defined({ error }) })
      } finally {
        opened.close()
      }
    },
  }
}

function choose(
  workspace: Workspace,
  { backend, model, mock_responses, recording }: JudgeInit,
  preset: BackendChoice | undefined,
): { choice: BackendChoice; warnings: string[] } {
  const config = loopConfig(workspace)
  const run = lastRun(workspace)
  if (mock_responses !== undefined && (backend === undefined || backend === 'mock'))
    return { choice: { type: 'mock' }, warnings: [] }
  if (recording?.mode === 'replay') return { choice: { type: 'replay' }, warnings: [] }
  const tested = run?.backend
  const named = backend === 'haiku' ? { type: 'claude', args: ['--model', 'haiku'] } : namedChoice(backend, preset)
  const choice = named ?? (tested === undefined || OFFLINE.has(tested) ? undefined : { type: tested })
  if (!choice || choice.type === 'mock') throw noJudge()
  const full = config.backend?.type === choice.type ? { ...config.backend, ...choice } : choice
  const judge = model === undefined ? full : withModel(full, model)
  const isSame = judge.type === tested && modelOf(judge) === modelOf(config.backend)
  const warning = `the judge is the model under test (${judge.type}): name another with judge_backend or judge_model`
  return { choice: judge, warnings: isSame ? [warning] : [] }
}

function namedChoice(backend: string | undefined, preset: BackendChoice | undefined): BackendChoice | undefined {
  return backend === undefined ? preset : { type: backend }
}

function withModel(choice: BackendChoice, model: string): BackendChoice {
  if (WITH_MODEL.has(choice.type)) return { ...choice, args: [...(choice.args ?? []), '--model', model] }
  throw new UserError({
    code: 'NO_MODEL',
    message: `judge_model cannot be used: the backend ${choice.type} does not support choosing a model`,
    hint: `give judge_backend one of ${[...WITH_MODEL].join(', ')}`,
  })
}

function modelOf(choice: BackendChoice | undefined): string | undefined {
  const args = choice?.args ?? []
  const at = args.lastIndexOf('--model')
  return at < 0 ? undefined : args[at + 1]
}

/** `judge` is built in; others are project files that say what the judge is told, and what plays it. */
function readPreset(preset: string, context: ToolContext): { instructions: string; backend?: BackendChoice } {
  if (preset === JUDGE_HAT && context.project === undefined) return { instructions: '' }
  const project = requireProject(context)
  const path = ['.yml', '.yaml'].map((end) => join(project, 'presets', `${preset}${end}`)).find((file) => isFile(file))
  if (path === undefined) {
    if (preset === JUDGE_HAT) return { instructions: '' }
    throw new UserError({
      code: 'NO_PRESET',
      message: `no preset called "${preset}" in ${join(project, 'presets')}`,
      hint: 'a preset is a file such as presets/strict.yml with a hat "judge": {hats: {judge: {triggers: [judge], instructions: …}}}',
    })
  }
  const config = readLoopConfig(path, () => {})
  const hat = config.hats.find(({ id }) => id === JUDGE_HAT)
  if (!hat)
    throw new UserError({
      code: 'NO_PRESET',
      message: `${path} has no hat "judge"`,
      hint: 'add hats.judge with instructions',
    })
  return { instructions: hat.instructions, ...defined({ backend: hat.backend ?? config.backend }) }
}

function failed(message: string): AgentError {
  return new AgentError({ code: 'failed', message: `the judge failed: ${message}` })
}

function noJudge(): UserError {
  return new UserError({
    code: 'NO_JUDGE',
    message: 'there is no judge: what was tested is scripted or recorded, and no other is named',
    hint: 'give judge_backend (e.g. "haiku"), mock_responses for a scripted judge, or cassette_name for a recorded one',
  })
}
