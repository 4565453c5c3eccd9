// `--chaos` as an interceptor: faults in the calls of agents, models, tools and hats.
import type { Interceptor, InterceptorInit } from '../interceptor.js'
import { toolsWithFaults } from './around-tools.js'
import { readChaos } from '../../config/read-chaos.js'
import { RunChaos } from './run-chaos.js'

export function openChaos({ options }: InterceptorInit): Interceptor | undefined {
  const spec = readChaos(options.chaos ?? false)
  if (!spec) return undefined
  const chaos = new RunChaos(spec)
  return {
    name: 'chaos',
    aroundAgent: async (_about, open) => chaos.agent(await open()),
    aroundConnector: async (_id, open) => chaos.connector(await open()),
    aroundTools: (toolbox) => toolsWithFaults(chaos, toolbox),
    aroundBackend: (backend, call) => chaos.backends(call)(backend),
    settle: (result) => chaos.settle(result),
    finish: () => ({ summary: { chaos: true } }),
  }
}
