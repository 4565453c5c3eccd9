// Refuses a package that needs programs, before the first case, if the system cannot run them.
import type { Processes } from '../../process/processes.js'
import type { AgentPackage } from './types.js'

export async function requirePrograms(pkg: AgentPackage, processes: Processes): Promise<void> {
  if (pkg.hooks) processes.requireSupport(`the hooks in ${pkg.hooks.file}`)
  for (const { server_id } of pkg.servers) {
    const server = await pkg.findServer(server_id)
    if (server?.transport === 'stdio') processes.requireSupport(`the tool server of ${server.file}`)
  }
}
