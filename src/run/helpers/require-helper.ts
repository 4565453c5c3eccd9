// Is there such a helper? An agent by its id, a module, any target, or a function of a script.
import { defined } from '../../base/defined.js'
import type { Project } from '../project.js'

export interface LookupPlace {
  project: Project
  appRoot: string
  /** Scripts are searched in the folders of this agent first. */
  agentDir: string | undefined
  /** The base of relative paths; undefined: the folder the command is run in. */
  dir?: string
}

/** Throws a UserError if there is no such agent, module or script. */
export async function requireHelper(use: string, place: LookupPlace): Promise<void> {
  if (/^scripts[:.]/.test(use)) return requireFunction(use, place)
  const agents = await place.project.agents()
  place.project.expectHelper(await agents.resolveHelper(use, place.dir))
}

export async function requireFunction(ref: string, { project, appRoot, agentDir }: LookupPlace): Promise<void> {
  const { resolveFunction } = await import('../../scripts/compile/reference.js')
  await resolveFunction(ref, { root: appRoot, ...defined({ agentDir }) })
  project.expectScript({ ref, ...defined({ agent_dir: agentDir }) })
}
