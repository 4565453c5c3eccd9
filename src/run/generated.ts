// `-i agents:…` and `-i scripts:…`: the cases a generator makes, checked like any other.
import type { Agent } from '../model/agent.js'
import type { CaseSource } from '../model/source.js'
import type { AskHelper } from '../pipeline/execute/conversation/contract.js'
import type { CheckAssertion } from '../pipeline/sources/check-case.js'
import type { DetectedInput } from '../pipeline/sources/detect.js'
import { boundBy } from '../time/deadline.js'
import { parseDuration } from '../base/duration.js'
import type { Project } from './project.js'

export interface GeneratedInit {
  input: DetectedInput
  agent: Agent
  ask: AskHelper
  project: Project
  strict: boolean
  /** The generator may name scripts and files. */
  allowActions: boolean
  /** How long the generator may take. */
  timeout: string
  checkAssertion: CheckAssertion
}

export async function openGenerated({
  input,
  agent,
  ask,
  project,
  strict,
  allowActions,
  timeout,
  checkAssertion,
}: GeneratedInit): Promise<CaseSource> {
  const { countWarnings, generateCases } = await import('../pipeline/sources/generate.js')
  const { casesFromValues } = await import('../pipeline/sources/values.js')
  const prefix = input.kind === 'generator_script' ? 'scripts' : 'agents'
  const use = `${prefix}:${input.value}`
  const { params } = input
  const query = new URLSearchParams(Object.entries(params).map(([key, value]): [string, string] => [key, `${value}`]))
  const label = query.size === 0 ? use : `${use}?${query.toString()}`
  const { signal, clear } = boundBy(new AbortController().signal, parseDuration(timeout), timeout)
  try {
    const values = await generateCases({ use, params, target: agent, ask, allowActions, signal })
    const source = await casesFromValues(values, { label, dir: project.cwd, strict, checkAssertion })
    return { ...source, warnings: [...countWarnings({ use, params }, values), ...source.warnings] }
  } finally {
    clear()
  }
}
