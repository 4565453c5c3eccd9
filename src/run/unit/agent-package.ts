// The agent under test as a package or a bare model: its folder, and the model it must be able to reach.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import type { Connector } from '../../model/connector.js'
import { defined } from '../../base/defined.js'
import type { Project } from '../project.js'

/** An agent that cannot reach its model is discovered before the first case, not in each of them. */
export async function requireConnector(
  agent: Agent,
  flag: string | undefined,
  project: Project,
): Promise<Connector | undefined> {
  const id = flag ?? agent.connector
  const isPackage = packageDir(agent) !== undefined
  if (agent.offered && flag !== undefined) return (await project.connectors()).get(flag)
  if (!isPackage && agent.connector === undefined) return undefined
  if (!isPackage && id !== agent.connector) throw otherModel(agent, id)
  if (id === undefined) return undefined
  const connectors = await project.connectors()
  return connectors.get(id, defined({ agentDir: packageDir(agent) }))
}

/** The folder of an agent package; undefined for agents of other kinds. */
export function packageDir(agent: Agent): string | undefined {
  return agent.path !== undefined && existsSync(join(agent.path, 'package.yao')) ? agent.path : undefined
}

/** What is reported as one model must not come from another. */
function otherModel({ id, connector }: Agent, other: string | undefined): UserError {
  return new UserError({
    code: 'OTHER_MODEL',
    message: `the agent ${id === connector ? id : `${id} is ${connector}, which`} is a model itself: the connector "${other}" cannot answer for it`,
    hint: `leave it out, or name that model with -n; for judges: --judge ${other}`,
  })
}
