// The agent under test as a package: its folder, and the model it must be able to reach.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '../../model/agent.js'
import type { Connector } from '../../model/connector.js'
import { defined } from '../../base/defined.js'
import type { Project } from '../project.js'

/** A package that cannot reach its model is discovered before the first case, not in each of them. */
export async function requireConnector(
  agent: Agent,
  flag: string | undefined,
  project: Project,
): Promise<Connector | undefined> {
  const id = flag ?? agent.connector
  if (packageDir(agent) === undefined || id === undefined) return undefined
  const connectors = await project.connectors()
  return connectors.get(id, defined({ agentDir: packageDir(agent) }))
}

/** The folder of an agent package; undefined for agents of other kinds. */
export function packageDir(agent: Agent): string | undefined {
  return agent.path !== undefined && existsSync(join(agent.path, 'package.yao')) ? agent.path : undefined
}
