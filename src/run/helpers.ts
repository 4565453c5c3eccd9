// The helper agents of a run: simulators, validators, generators, reporters, all through one call.
import type { RunOptions } from '../model/options.js'
import type { TestCase } from '../model/case.js'
import type { AssertServices } from '../pipeline/assert/define-assertion.js'
import type { AskHelper } from '../pipeline/execute/conversation/contract.js'
import { contextFor, type Identity } from '../pipeline/plan/environment.js'
import type { Project } from './project.js'

export interface Helpers {
  /** One per case and run, so that a scripted helper's answers are consumed in order and never mixed. */
  askFor(caseId: string, run: number): AskHelper
  services(testCase: TestCase, run: number, agentDir: string | undefined, signal: AbortSignal): AssertServices
  judge(
    response: unknown,
    agent: string,
    options: unknown,
    signal: AbortSignal,
  ): Promise<{ passed: boolean; score?: number; reason?: string }>
}

export function createHelpers(init: { project: Project; identity: Identity; options: RunOptions }): Helpers {
  const { project, identity, options } = init

  const askFor = (caseId: string, run: number): AskHelper => {
    let ask: Promise<AskHelper> | undefined
    return async (call) => {
      ask ??= openAsk(caseId, run)
      return (await ask)(call)
    }
  }

  const openAsk = async (caseId: string, run: number): Promise<AskHelper> => {
    const { createAsk } = await import('../agents/ask.js')
    return createAsk({
      resolveAgent: async (use) => (await project.agents()).resolveHelper(use),
      callScript: (ref, args, signal) => project.scripts.call({ ref, args, signal }),
      contextFor: (role) => ({
        ...contextFor(identity, { id: caseId, assertions: [] }, `${role}-${caseId}-${run}`, role),
        referer: 'agent-test',
      }),
      ...(project.config.helpers?.connector !== undefined && { connector: project.config.helpers.connector }),
      ...(options.connector !== undefined && { fallbackConnector: options.connector }),
    })
  }

  const judgeWith =
    (ask: AskHelper): AssertServices['judge'] =>
    async (request) => {
      const { askJudge } = await import('../agents/ask-judge.js')
      return askJudge(ask, request)
    }

  const script =
    (agentDir: string | undefined, signal: AbortSignal): AssertServices['script'] =>
    (ref, args) =>
      project.scripts.call({ ref, args, signal, ...(agentDir !== undefined && { agent_dir: agentDir }) })

  const readFile = async (path: string): Promise<string> => {
    const { readInside } = await import('../util/read-inside.js')
    return readInside(project.appRoot, path)
  }

  return {
    askFor,
    services: (testCase, run, agentDir, signal) => ({
      judge: judgeWith(askFor(testCase.id, run)),
      script: script(agentDir, signal),
      readFile,
      signal,
    }),
    judge: async (response, agent, judgeOptions, signal) => {
      const { judgeResponse } = await import('./judge-response.js')
      const services: AssertServices = {
        judge: judgeWith(askFor('script', 1)),
        script: script(undefined, signal),
        readFile,
        signal,
      }
      return judgeResponse(response, agent, judgeOptions, services)
    },
  }
}
