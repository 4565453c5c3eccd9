// Is there such a helper? An agent by its id, a module, any target, or a function of a script.
import { defined } from '../../base/defined.js'
import type { Project } from '../project.js'

export interface LookupContext {
  project: Project
  appRoot: string
  /** Scripts are searched in the folders of this agent first. */
  agentDir: string | undefined
  /** The base of relative paths; undefined: the folder the command is run in. */
  dir?: string
}

/** Throws a UserError if there is no such agent, module or script. */
export async function requireHelper(use: string, context: LookupContext): Promise<void> {
  if (/^scripts[:.]/.test(use)) return requireFunction(use, context)
  const agents = await context.project.agents()
  context.project.expectHelper(await agents.resolveHelper(use, context.dir))
}

export async function requireFunction(ref: string, { project, appRoot, agentDir }: LookupContext): Promise<void> {
  const { resolveFunction } = await import('../../scripts/compile/reference.js')
  await resolveFunction(ref, { root: appRoot, ...defined({ agentDir }) })
  project.expectScript({ ref, ...defined({ agent_dir: agentDir }) })
}
