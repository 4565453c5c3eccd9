// Connects one unit of the plan to what can run it: a conversation for a case, the script runtime for a test file.
import { dirname, resolve } from 'node:path'
import type { ResultEvent, RunEvent } from '../../model/event.js'
import { HelperLedger } from '../../model/helper-cost.js'
import type { CaseUnit, Planned, ScriptUnit } from '../../model/plan.js'
import type { ScriptFile } from '../../model/script.js'
import { DEFAULT_AWAITING_TOOLS } from '../../pipeline/execute/conversation/awaiting-input.js'
import { runCase, type CaseDeps } from '../../pipeline/execute/run-case.js'
import { runScriptFile } from '../../pipeline/execute/run-script-file.js'
import { chatIdFor, contextFor, optionsFor } from '../../pipeline/plan/environment.js'
import { messagesOf } from '../../pipeline/sources/attachments.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { once } from '../../base/once.js'
import { parseDuration } from '../../base/duration.js'
import { isoNow } from '../../time/iso-now.js'
import { pathSeenFrom } from '../../files/inside.js'
import type { Brake } from '../brake.js'
import type { Prepared } from '../prepare.js'
import type { Stopper } from '../stopper.js'
import type { Tested } from './tested.js'
import type { Work } from '../work.js'

export interface RunUnitInit {
  prepared: Prepared
  run_id: string
  stopper: Stopper
  emit(event: RunEvent): void
  brake: Brake
  /** Puts what was emitted on disk; throws if it cannot. */
  flush(): void
}

/** Where units are run: in this process, or elsewhere. */
export interface Runner {
  begin(init: RunUnitInit): Promise<Units>
  close(): Promise<void>
}

/** The runner is handed in by the front door. Throws a UserError if it cannot run these units. */
export type OpenRunner = (prepared: Prepared) => Promise<Runner> | Runner

export interface Units {
  /** How many may be requested at a time. */
  parallel: number
  run: RunUnit
  /** This variant runs no further. */
  end(variant: string | undefined, reason: string): void
  /** After the last unit. Throws what kept units from running; returns what else went wrong. */
  finish(): Promise<string[]>
}

export type RunUnit = (planned: Planned, onResult: (result: ResultEvent) => void) => Promise<void> | void

export function createRunUnit(init: RunUnitInit): RunUnit {
  const { prepared, emit } = init
  const { work, interceptors } = prepared
  const byVariant = new Map(
    work.mode === 'agent' ? work.tested.map((tested) => [tested.variant, createDeps(init, tested)]) : [],
  )

  return async ({ unit, checks }, onResult) => {
    if (unit.kind === 'script_file') {
      if (init.brake.isPulled(unit.script)) return init.stopper.startNoMore('limit')
      return runScripts(unit, fileOf(unit, work), init, onResult)
    }
    const deps = byVariant.get(unit.variant)?.(unit.testCase.file)
    if (!deps || init.stopper.hasEnded(unit.variant)) return
    if (init.brake.isPulled(unit.testCase.id)) return void (byVariant.size === 1 && init.stopper.startNoMore('limit'))
    emit(caseStart(unit))
    interceptors.begin(unit)
    const result = await runCase(unit, deps, checks)
    if (result) onResult(withWithout(interceptors.settle(result), prepared.without))
  }
}

function withWithout(result: ResultEvent, without: ReadonlySet<string>): ResultEvent {
  return without.size === 0 ? result : { ...result, without: [...without].toSorted() }
}

/** What a case refers to is resolved from its own file: each file has its own. */
function createDeps(init: RunUnitInit, tested: Tested): (file: string | undefined) => CaseDeps {
  const { work, cwd } = init.prepared
  const only = work.mode === 'agent' ? work.source.file : undefined
  const byFile = new Map<string, CaseDeps>()
  return (named) => {
    const file = named === undefined ? only : resolve(cwd, named)
    const key = file ?? ''
    const deps = byFile.get(key) ?? caseDeps(init, tested, file)
    byFile.set(key, deps)
    return deps
  }
}

function caseDeps(
  init: RunUnitInit,
  { variant, spec, agent, testsDir: agentDir }: Tested,
  file: string | undefined,
): CaseDeps {
  const { prepared } = init
  const { options, config, cwd, appRoot, helpers, project, io } = prepared
  const identity = spec.locale === undefined ? prepared.identity : { ...prepared.identity, locale: spec.locale }
  const source = prepared.work.mode === 'agent' ? prepared.work.source : undefined
  const dir = file === undefined ? (source?.dir ?? cwd) : dirname(file)
  const place = { dir, appRoot, allowOutside: options.allow_outside }
  const isOnly = prepared.work.total === 1 && options.runs === 1 && variant === undefined
  return {
    run_id: init.run_id,
    agent,
    chatIdFor: (own, attempt) => chatIdFor(identity, own, isOnly && attempt === 1),
    contextFor: (testCase, chatId) => contextFor(identity, testCase, chatId, agent.id),
    optionsFor: (testCase) => optionsFor(testCase, spec),
    options,
    over: spec,
    timeout: prepared.timeout,
    clock: io.clock,
    deadlines: init.stopper.deadlines(variant),
    services: (ask, signal, onLog, origin) => helpers.services(ask, agentDir, signal, { onLog, origin, file }),
    askFor: ({ case_id, run, attempt }, ledger) =>
      helpers.askFor({ case_id, run, attempt, agentDir, ledger, dir, ...defined({ variant }) }),
    callHook: (ref, args, signal, onLog, origin) =>
      project.scripts.call({
        ref,
        role: 'judge',
        args,
        context_args: [0],
        signal,
        onLog,
        origin,
        ...(agentDir !== undefined && { agent_dir: agentDir }),
      }),
    openWorkspace: workspaceOpener(options.workspace_quota),
    messagesOf: (input, attachments) => messagesOf(input, attachments, place),
    awaiting_tools: config.awaiting_tools ?? DEFAULT_AWAITING_TOOLS,
    toolsOf: ({ testing }) => {
      if (typeof testing?.tools === 'string') return { file: testing.tools, dir }
      const { tools } = config.testing ?? {}
      return typeof tools === 'string' ? { file: tools, dir: appRoot } : undefined
    },
    openTools: async (given) => (await project.mockTools()).open(given),
    stateOf: ({ testing }) => testing?.state ?? config.testing?.state,
    ...(isRecord(config.testing?.tools) && { tools: config.testing.tools }),
    ...(io.human && { human: io.human }),
    ...(file !== undefined && { file: pathSeenFrom(cwd, file) }),
  }
}

/** Loaded with the first case that has one. */
function workspaceOpener(quotaMb: number): CaseDeps['openWorkspace'] {
  const opened = once(async () => (await import('./case-workspaces.js')).createCaseWorkspaces(quotaMb * 1024 * 1024))
  return async (spec, kind) => (await opened())(spec, kind)
}

/** A unit names its file by reference; where the file is, is this machine's business. */
function fileOf({ script }: ScriptUnit, work: Work): ScriptFile {
  const file = work.mode === 'script_test' ? work.files.find(({ ref }) => ref === script) : undefined
  if (!file) throw new Error(`no script file called ${script} is open`)
  return file
}

async function runScripts(
  unit: ScriptUnit,
  file: ScriptFile,
  init: RunUnitInit,
  onResult: (result: ResultEvent) => void,
): Promise<void> {
  const { prepared } = init
  const { identity, work, options } = prepared
  const isOnly = work.mode === 'script_test' && work.files.length === 1 && options.runs === 1
  const ledgers = new Map<string, HelperLedger>()
  const ledgerOf = (test: string): HelperLedger => {
    const ledger = ledgers.get(test) ?? new HelperLedger()
    ledgers.set(test, ledger)
    return ledger
  }
  let results = 0
  await runScriptFile(unit, {
    run_id: init.run_id,
    scripts: prepared.project.scripts,
    file,
    shown_file: pathSeenFrom(prepared.cwd, file.path),
    context: (agentId, own) => {
      const chatId = chatIdFor(identity, own, isOnly)
      return contextFor(identity, { id: file.ref, assertions: [] }, chatId, agentId)
    },
    timeout_ms: parseDuration(prepared.timeout),
    ...defined({ max_failures: options.fail_fast ? 1 : init.brake.failuresLeft() }),
    strict: prepared.options.strict,
    signal: init.stopper.signal,
    judge: prepared.helpers.judgeFor(file.ref, unit.run, ledgerOf),
    check: prepared.helpers.checkFor(file.ref, unit.run, ledgerOf),
    emit: init.emit,
    onResult: (result) => {
      const helpers = ledgers.get(result.name ?? '')?.rows()
      const whole = withWithout(prepared.interceptors.settle(result), prepared.without)
      onResult(helpers ? { ...whole, helpers } : whole)
      results += 1
    },
  })
  // The file has ended early: its other tests are cases that were not started.
  if (results < unit.tests.length) init.brake.isPulled(unit.script)
}

function caseStart({ testCase: { id, name }, run, variant, position }: CaseUnit): RunEvent {
  const event: RunEvent = { type: 'case_start', id, run, timestamp: isoNow() }
  if (name !== undefined) event.name = name
  if (variant !== undefined) event.variant = variant
  if (position !== undefined) event.position = position
  return event
}
