// What a program passes to a run instead of naming it: the cases, the agent.
import type { AgentFunction } from '../agents/targets/function.js'
import { UserError } from '../errors.js'
import type { Agent } from '../model/agent.js'
import type { WrittenCase } from '../model/case-schema.js'
import type { GivenOptions } from '../config/options.js'

/** The flags of `viva test` with underscores; and in place of names the things themselves. */
export interface ProgramOptions extends GivenOptions {
  /** Instead of `input`. As in a case file, in any spelling. */
  cases?: readonly WrittenCase[]
  /** Instead of `name`. It runs in this process: when its time is up it is no longer awaited, but nothing can end it. */
  agent?: AgentFunction
}

export interface Inline {
  cases?: readonly unknown[]
  /** Where relative paths in the cases start. Default: the working directory. */
  dir?: string
  agent?: Agent
}

export async function takeInline(given: ProgramOptions): Promise<{ options: GivenOptions; inline: Inline }> {
  if (typeof given !== 'object' || given === null) throw noOptions(given)
  const { cases, agent, ...options } = given
  if (options.dry_run) throw noDryRun()
  if (cases !== undefined && options.input !== undefined) throw twice('cases', 'input')
  if (cases !== undefined && !Array.isArray(cases)) throw notAList(cases)
  if (agent === undefined) return { options, inline: cases ? { cases } : {} }
  if (options.name !== undefined) throw twice('agent', 'name')
  if (options.variant !== undefined) throw twice('agent', 'variant')
  if (typeof agent !== 'function') throw noFunction(agent)
  const { createFunctionAgent } = await import('../agents/targets/function.js')
  return { options, inline: { ...(cases && { cases }), agent: createFunctionAgent(agent) } }
}

function noOptions(found: unknown): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: `the options must be an object, found ${found === null ? 'null' : typeof found}`,
    hint: 'for example: { input: "cases.jsonl", name: "builtin:echo" }',
  })
}

/** The command line shows the cases instead of running them; here nothing would be shown. */
function noDryRun(): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: 'dry_run is for the command line',
    hint: 'viva test … --dry-run lists and writes the cases; leave it out to run them',
  })
}

function twice(one: string, other: string): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: `${one} and ${other} both say what to run`,
    hint: `give ${one} or ${other}, not both`,
  })
}

function notAList(found: unknown): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: `cases must be a list of cases, found ${found === null ? 'null' : typeof found}`,
    hint: 'cases: [{ id: "T001", input: "hello" }]; a file is named by input',
  })
}

function noFunction(found: unknown): UserError {
  return new UserError({
    code: 'BAD_OPTION',
    message: `agent must be a function, found ${found === null ? 'null' : typeof found}`,
    hint: 'agent: async (messages) => "answer"; an agent that has a name or an address is given as name',
  })
}
