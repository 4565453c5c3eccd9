// `openai:gpt-5-mini`: a model is the agent. It is a package of nothing but its connector: no prompts, no hooks, no tools.
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentOptions } from '../../model/agent.js'
import { parseModel, type NamedModel } from '../../connectors/model-vendors.js'
import { show } from '../../base/text.js'
import { createPackageAgent } from '../package/agent.js'
import type { PackageParts } from '../package/call.js'
import type { ModuleRole } from '../module-host/modules.js'
import type { AgentPackage } from '../package/types.js'

export async function createBareModel(id: string, dir: string, role: ModuleRole, parts: PackageParts): Promise<Agent> {
  if (role !== 'agent') throw notAHelper(id)
  const {
    path: _path,
    workspaces: _workspaces,
    ...agent
  } = await createPackageAgent({ ...modelPackage(id, dir), connector: id }, parts)
  return {
    ...agent,
    sees: 'parameters',
    send: async (request) => {
      requireSameModel(id, request.options)
      return agent.send(request)
    },
  }
}

/** Of a model that the request names. */
export function modelPackage(id: string, dir: string): AgentPackage {
  return {
    id,
    dir,
    appRoot: dir,
    name: id,
    options: {},
    globalPrompts: [],
    prompts: [],
    presets: new Map(),
    disableGlobalPrompts: true,
    locales: new Map(),
    servers: [],
    toolLoop: false,
    maxTurn: 1,
    findServer: () => Promise.resolve(undefined),
  }
}

/** Results are those of the model that is named: no other may answer for it. */
function requireSameModel(id: string, { connector, model }: AgentOptions): void {
  const own = (parseModel(id) as NamedModel).model
  if (connector !== undefined && connector !== id) throw otherModel(id, `options.connector is ${show(connector)}`)
  if (model !== undefined && model !== own) throw otherModel(id, `options.model is ${show(model)}`)
}

function otherModel(id: string, found: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `the agent is the model ${id}, but ${found}`,
    hint: 'leave it out, or name that model with -n; several -n are compared side by side',
  })
}

function notAHelper(id: string): UserError {
  return new UserError({
    code: 'NOT_A_HELPER',
    message: `${id} is a model, not an agent that judges, simulates or reports`,
    hint: `it can be the model of a built-in helper: --judge ${id}, "options": {"connector": "${id}"}, or helpers.connector in viva.config`,
  })
}
