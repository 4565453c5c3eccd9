// What the cases of a file name must be there before the first of them runs: connectors, helpers, scripts, tools.
import { UserError, type Problem } from '../errors.js'
import type { Agent } from '../model/agent.js'
import { namesOfNoTool, parseToolName } from '../agents/package/tools/tool-names.js'
import { checkAssertion } from '../pipeline/assert/compile.js'
import type { CheckOptions } from '../pipeline/sources/check-values.js'
import type { CheckReference } from '../pipeline/sources/references.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { packageDir, requireConnector } from './agent-package.js'
import type { Project } from './project.js'
import { requireFunction, requireHelper } from './require-helper.js'
import type { Settings } from './settings.js'

export function referenceChecks(agent: Agent, project: Project, { appRoot, dir }: Settings): CheckOptions {
  const place = { project, appRoot, dir, agentDir: packageDir(agent) }
  const tools = agent.allTools === 'before' ? (agent.tools ?? []) : undefined
  return {
    checkAssertion: (spec, field, doubts) => checkAssertion(spec, field, doubts, tools),
    checkHelper: orProblems((use) => requireHelper(use, place)),
    checkHook: orProblems((ref) => requireFunction(ref, place)),
    checkStub: (name) => stubMistake(name, agent),
    // Connectors of agents of other kinds are theirs to know.
    ...(packageDir(agent) !== undefined && {
      checkConnector: orProblems((id) => requireConnector(agent, id, project)),
    }),
  }
}

function orProblems(require: (name: string) => Promise<unknown>): CheckReference {
  return async (name, field): Promise<Problem[]> => {
    try {
      await require(name)
      return []
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return [{ field, message: error.message, ...defined({ hint: error.hint }) }]
    }
  }
}

/** A tool that is replaced under a wrong name is called for real. */
function stubMistake(
  name: string,
  { id, allTools, tools = [] }: Agent,
): { problem: string } | { doubt: string } | undefined {
  if (allTools === undefined) return { problem: `the tools of ${id} cannot be replaced: it is no agent package` }
  if (namesOfNoTool([name], tools).length === 0) return undefined
  const bare = tools.map((tool) => parseToolName(tool)?.tool ?? tool)
  const near = suggest(name, [...tools, ...bare])
  const known = tools.length > 0 ? `it has ${tools.join(', ')}` : 'it has none'
  const message = `${id} has no tool "${name}"; ${near === undefined ? known : `did you mean "${near}"?`}`
  if (near !== undefined || allTools === 'before') return { problem: message }
  return allTools === 'never' ? { doubt: `${id} is not known to have a tool "${name}"; ${known}` } : undefined
}
