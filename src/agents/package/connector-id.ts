// Which connector a package names: an id, or `$ENV.X`.
import { expandEnv } from '../../connectors/env-values.js'
import { UserError } from '../../errors.js'
import type { AgentPackage } from './types.js'

export function connectorId(pkg: AgentPackage, env: Record<string, string | undefined>): string {
  return String(expandEnv(pkg.connector, env, `the connector of ${pkg.dir}/package.yao`))
}

/** A variable that is not set matters only when the connector is used: the run may name another one. */
export function knownConnectorId(pkg: AgentPackage, env: Record<string, string | undefined>): string | undefined {
  if (pkg.connector === undefined) return undefined
  try {
    return connectorId(pkg, env)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
