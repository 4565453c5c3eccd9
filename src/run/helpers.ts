// The helper agents of a run: simulators, validators, generators, reporters, all through one call.
import type { HelperCall, HelperRole } from '../model/helper.js'
import type { RunOptions } from '../model/options.js'
import type { ScriptHandlers } from '../model/script.js'
import type { AssertServices } from '../pipeline/assert/define-assertion.js'
import type { AskHelper } from '../pipeline/execute/conversation/contract.js'
import { contextFor, type Identity } from '../pipeline/plan/environment.js'
import type { Project } from './project.js'

export interface Helpers {
  /** One per case, run and attempt, so that a scripted helper's answers are consumed in order and never mixed. */
  askFor(caseId: string, run: number, attempt: number, agentDir?: string): AskHelper
  services(
    caseId: string,
    run: number,
    attempt: number,
    agentDir: string | undefined,
    signal: AbortSignal,
  ): AssertServices
  judge: ScriptHandlers['judge']
}

export interface HelpersInit {
  project: Project
  identity: Identity
  options: RunOptions
  /** The folder of the case file: what its cases name by a path is looked for there first. */
  dir: string
}

export function createHelpers({ project, identity, options, dir }: HelpersInit): Helpers {
  const askFor: Helpers['askFor'] = (caseId, run, attempt, agentDir) => {
    let ask: Promise<AskHelper> | undefined
    return async (call) => {
      ask ??= openAsk(`${caseId}-${run}-${attempt}`, caseId, agentDir)
      return (await ask)(call)
    }
  }

  const openAsk = async (chat: string, caseId: string, agentDir: string | undefined): Promise<AskHelper> => {
    const { createAsk } = await import('../agents/helpers/ask.js')
    return createAsk({
      resolveAgent: async (use, role) =>
        (await project.agents()).resolveHelper(use, isNamedByCase(role) ? dir : undefined),
      callScript: (ref, args, signal) => callWithPlace(project, ref, args, agentDir, signal),
      contextFor: (role) => ({
        ...contextFor(identity, { id: caseId, assertions: [] }, `${role}-${chat}`, role),
        referer: 'agent-test',
      }),
      ...(project.config.helpers?.connector !== undefined && { connector: project.config.helpers.connector }),
      ...(options.connector !== undefined && { fallbackConnector: options.connector }),
    })
  }

  const services: Helpers['services'] = (caseId, run, attempt, agentDir, signal) =>
    new Services(project, () => askFor(caseId, run, attempt, agentDir), agentDir, signal)

  // Tests of different files may have one name; a file that runs has its own signal.
  const fileNumbers = new WeakMap<AbortSignal, number>()
  let files = 0

  return {
    askFor,
    services,
    judge: async (response, agent, judgeOptions, signal, test) => {
      const { judgeResponse } = await import('./judge-response.js')
      const file = fileNumbers.get(signal) ?? ++files
      fileNumbers.set(signal, file)
      return judgeResponse(response, agent, judgeOptions, services(test, file, 1, undefined, signal))
    },
  }
}

/** The others are named on the command line, where paths start from the folder the command is run in. */
function isNamedByCase(role: HelperRole): boolean {
  return role === 'simulator' || role === 'validator'
}

/** Made for every case, used by few: methods, not closures. */
class Services implements AssertServices {
  readonly signal: AbortSignal
  private readonly project: Project
  private readonly ask: () => AskHelper
  private readonly agentDir: string | undefined

  constructor(project: Project, ask: () => AskHelper, agentDir: string | undefined, signal: AbortSignal) {
    this.project = project
    this.ask = ask
    this.agentDir = agentDir
    this.signal = signal
  }

  judge(call: HelperCall): Promise<unknown> {
    return this.ask()(call)
  }

  script(ref: string, args: unknown[]): Promise<unknown> {
    return callWithPlace(this.project, ref, args, this.agentDir, this.signal)
  }

  async readFile(path: string): Promise<string> {
    const { readInside } = await import('../files/inside.js')
    return readInside(this.project.appRoot, path)
  }
}

/** What a script throws here becomes one line of text: the line of the script belongs in it. */
async function callWithPlace(
  project: Project,
  ref: string,
  args: unknown[],
  agentDir: string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await project.scripts.call({ ref, args, signal, ...(agentDir !== undefined && { agent_dir: agentDir }) })
  } catch (error) {
    const { describeWithPlace, scriptErrorOf } = await import('../scripts/host/script-error.js')
    if (!scriptErrorOf(error)) throw error
    throw new Error(describeWithPlace(error, project.appRoot), { cause: error })
  }
}
