// The helper agents of a run: simulators, validators, generators, reporters, all through one call.
import { dirname } from 'node:path'
import type { IdentifiedJudge } from '../../model/assertion.js'
import type { HelperCall, HelperRole } from '../../model/helper.js'
import type { JudgeQuestionSpec } from '../../model/judge.js'
import type { HelperLedger } from '../../model/helper-cost.js'
import type { ModelCall } from '../../model/model-call.js'
import type { ScriptCheck, ScriptJudge, ScriptRuntime } from '../../model/script.js'
import type { AssertServices } from '../../pipeline/assert/define-assertion.js'
import { SearchThread } from '../../pipeline/assert/search-thread.js'
import type { AskHelper } from '../../pipeline/execute/conversation/contract.js'
import { chatIdFor, contextFor, type Identity } from '../../pipeline/plan/environment.js'
import { defined } from '../../base/defined.js'
import type { Project } from '../project.js'
import { openJudges } from './judges.js'
import type { Judges } from './judge-entry.js'
import { helperConnector } from './require-helper-connector.js'
import { createSharedFirst } from '../unit/shared-first.js'
import type { Settings } from '../settings.js'
import type { Interceptors } from '../../interceptors/compose.js'
import type { Snapshots } from '../../model/snapshot.js'

export interface Helpers {
  /** One per case, run and attempt, so that a scripted helper's answers are consumed in order and never mixed. */
  askFor(place: HelperOrigin): AskHelper
  services(
    ask: () => AskHelper,
    agentDir: string | undefined,
    signal: AbortSignal,
    about?: AboutScripts,
  ): AssertServices
  /** For one run of a test file; `ledgerOf` is where the calls of a test are counted. */
  judgeFor(ref: string, run: number, ledgerOf: (test: string) => HelperLedger): ScriptJudge
  /** The same for `t.assert.Check`. */
  checkFor(ref: string, run: number, ledgerOf: (test: string) => HelperLedger): ScriptCheck
  judges: Judges
  close(): Promise<void>
}

/** On whose behalf helpers are asked. */
export interface HelperOrigin {
  case_id: string
  run: number
  attempt: number
  variant?: string
  agentDir?: string | undefined
  /** The folder of its case file. */
  dir?: string
  ledger: HelperLedger
}

export interface HelpersInit {
  settings: Settings
  project: Project
  env: NodeJS.ProcessEnv
  identity: Identity
  interceptors: Interceptors
  warn(text: string): void
}

export function createHelpers({ settings, project, env, identity, interceptors, warn }: HelpersInit): Helpers {
  const { dir, appRoot } = settings
  const thread = new SearchThread()
  const warned = new Set<string>()
  const warnOnce = (text: string): void => {
    if (!warned.has(text)) warn(text)
    warned.add(text)
  }
  // A recording gives all variants the same on its own, and must see what each of them asks.
  const isRecorded = settings.options.record !== undefined || settings.options.replay !== undefined
  const share = settings.variants.length > 1 && !isRecorded ? createSharedFirst(settings, project) : undefined
  const judges = openJudges(settings, project, env, warnOnce)
  const call: CallScript = (given) => callWithPosition(project.scripts, given, appRoot)
  const askFor: Helpers['askFor'] = (place) => {
    let ask: Promise<AskHelper> | undefined
    return async (call) => {
      ask ??= openAsk(place)
      return (await ask)(call)
    }
  }

  const openAsk = async ({ agentDir, ledger, dir: own, ...origin }: HelperOrigin): Promise<AskHelper> => {
    const { case_id, run, attempt, variant } = origin
    const whose = variant === undefined ? case_id : `${case_id}-${variant}`
    const chat = `${whose}-${run}-${attempt}`
    const { createAsk } = await import('../../agents/helpers/ask.js')
    return createAsk({
      resolveAgent: async (use, role) =>
        (await project.agents()).resolveHelper(use, isNamedByCase(role) ? (own ?? dir) : undefined),
      // Whatever it calls is an agent, and may be the one under test.
      callScript: (ref, args, signal) =>
        call({ ref, args, agentDir, signal, origin: { ...origin, lane: 'agent', role: ref } }),
      contextFor: (role) => ({
        ...contextFor(identity, { id: case_id, assertions: [] }, chatIdFor(identity, `${role}-${chat}`, false), role),
        referer: 'agent-test',
      }),
      origin,
      ledger,
      connectorFor: (role) => helperConnector(role, settings),
      ...(share && { share: (call, connector, ask) => share(origin, call, connector, ask) }),
    })
  }

  const services: Helpers['services'] = (ask, agentDir, signal, about = {}) =>
    new Services(ask, call, warnOnce, thread, interceptors, project, judges, agentDir, signal, about)

  return {
    judges,
    askFor,
    services,
    judgeFor: (ref, run, ledgerOf) => async (response, agent, judgeOptions, signal, test) => {
      const { judgeResponse } = await import('./judge-response.js')
      const place = { case_id: `${ref}.${test}`, run, attempt: 1, ledger: ledgerOf(test) }
      return judgeResponse(
        response,
        agent,
        judgeOptions,
        services(() => askFor(place), undefined, signal),
      )
    },
    checkFor: (ref, run, ledgerOf) => async (subject, assertions, signal, test) => {
      const { checkEvidence } = await import('./check-evidence.js')
      const place = { case_id: `${ref}.${test}`, run, attempt: 1, ledger: ledgerOf(test) }
      const origin: ModelCall = { case_id: place.case_id, run, attempt: 1, lane: 'judge', role: ref }
      const own = services(() => askFor(place), undefined, signal, { origin })
      return checkEvidence(subject, assertions, { case_id: place.case_id, root: appRoot, services: own })
    },
    close: () => thread.close(),
  }
}

/** Paths in a case are relative to the folder of its file; those on the command line to where the command is run. */
function isNamedByCase(role: HelperRole): boolean {
  return role === 'simulator' || role === 'validator'
}

/** Created for every case, used by few: methods, not closures. */
class Services implements AssertServices {
  readonly signal: AbortSignal
  private readonly ask: () => AskHelper
  private readonly call: CallScript
  readonly warn: (text: string) => void
  private readonly thread: SearchThread
  private readonly interceptors: Interceptors
  private readonly project: Project
  private readonly judges: Judges
  private readonly agentDir: string | undefined
  private readonly about: AboutScripts

  constructor(
    ask: () => AskHelper,
    call: CallScript,
    warn: (text: string) => void,
    thread: SearchThread,
    interceptors: Interceptors,
    project: Project,
    judges: Judges,
    agentDir: string | undefined,
    signal: AbortSignal,
    about: AboutScripts,
  ) {
    this.about = about
    this.ask = ask
    this.call = call
    this.warn = warn
    this.thread = thread
    this.interceptors = interceptors
    this.project = project
    this.judges = judges
    this.agentDir = agentDir
    this.signal = signal
  }

  judge(call: HelperCall): Promise<unknown> {
    return this.ask()(call)
  }

  identifyJudge(judge: { use?: string; connector?: string }, question: JudgeQuestionSpec): Promise<IdentifiedJudge> {
    const dir = this.about.file === undefined ? undefined : dirname(this.about.file)
    return this.judges.identify({ ...judge, dir, agentDir: this.agentDir }, question)
  }

  script(ref: string, args: unknown[]): Promise<unknown> {
    const { onLog, origin } = this.about
    return this.call({ ref, args, agentDir: this.agentDir, signal: this.signal, onLog, origin })
  }

  search(expression: RegExp, text: string): Promise<boolean> {
    return this.thread.search(expression, text)
  }

  async snapshots(): Promise<Snapshots> {
    const opened = await this.interceptors.openSnapshots?.(this.about.file, this.about.origin)
    if (!opened) throw new Error('this run has no snapshots')
    return opened
  }

  readFile(path: string): Promise<string> {
    return this.project.readFile(path)
  }
}

interface Call {
  ref: string
  args: unknown[]
  agentDir: string | undefined
  signal: AbortSignal
  onLog?: OnLog | undefined
  origin?: ModelCall | undefined
}

/** For the scripts that assertions call: who receives their output, and on whose behalf they work. */
export interface AboutScripts extends Pick<Call, 'onLog' | 'origin'> {
  /** The case file. */
  file?: string | undefined
}

type OnLog = (line: string) => void
type CallScript = (call: Call) => Promise<unknown>

/** What a script throws here becomes one line of text: the script's line number belongs in it. */
async function callWithPosition(
  scripts: ScriptRuntime,
  { ref, args, agentDir, signal, onLog, origin }: Call,
  appRoot: string,
): Promise<unknown> {
  try {
    return await scripts.call({ ref, role: 'judge', args, signal, ...defined({ agent_dir: agentDir, onLog, origin }) })
  } catch (error) {
    const { describeWithPosition, scriptErrorOf } = await import('../../scripts/host/script-error.js')
    if (!scriptErrorOf(error)) throw error
    throw new Error(describeWithPosition(error, appRoot), { cause: error })
  }
}
