// `viva test --chaos`: faults in the calls of a run, kept per case so that every result names its own.
import type { Agent, AgentRequest } from '../../model/agent.js'
import type { Connector } from '../../model/connector.js'
import { describeFault, type Fault } from '../../model/fault.js'
import type { ResultEvent } from '../../model/event.js'
import type { ModelCall } from '../../model/model-call.js'
import { runKey, type RunKey } from '../../model/run-key.js'
import type { Backend } from '../../orchestrator/backends/backend.js'
import { backendWithFaults } from './around-backend.js'
import { callWithFault } from './around-call.js'
import { FaultLog } from './faults.js'
import type { RunChaosSpec } from '../../config/read-chaos.js'

export class RunChaos {
  readonly #spec: RunChaosSpec
  readonly #logs = new Map<RunKey, FaultLog>()

  constructor(spec: RunChaosSpec) {
    this.#spec = spec
  }

  connector(connector: Connector): Connector {
    return {
      ...connector,
      complete: (request) => {
        const { onChunk: _onChunk, ...quiet } = request
        return this.#call(request, (isQuiet) => connector.complete(isQuiet ? quiet : request))
      },
    }
  }

  /** An agent that calls its model itself. The hats of an orchestrator get their faults one by one instead. */
  agent(agent: Agent): Agent {
    if (agent.workspaces === 'orchestrator') return agent
    return {
      ...agent,
      send: (request) => {
        const { onChunk: _onChunk, ...quiet } = request
        return this.#call(request, (isQuiet) => agent.send(isQuiet ? quiet : request))
      },
    }
  }

  /** The backend of an orchestrator that answers this call. */
  backends(call: ModelCall): (backend: Backend) => Backend {
    return (backend) => backendWithFaults(backend, this.#spec.delay_ms, (hat) => this.fault(call, hat))
  }

  /** For the next call: undefined if it gets none, or this lane has none. */
  fault(call: ModelCall, role = call.role): Fault | undefined {
    if (!this.#spec.lanes.some((lane) => lane === call.lane)) return undefined
    return this.#logOf(call).next(role, call.attempt)
  }

  get delayMs(): number {
    return this.#spec.delay_ms
  }

  /** What was done to the case is part of its result. */
  settle(result: ResultEvent): ResultEvent {
    const key = runKey(result)
    const injected = this.#logs.get(key)?.injected ?? []
    this.#logs.delete(key)
    if (injected.length === 0) return result
    const said = `chaos: ${injected.map(describeFault).join('; ')}`
    return { ...result, faults: injected, warnings: [...(result.warnings ?? []), said] }
  }

  #call<Answer extends { content: unknown }>(
    { call, signal }: Pick<AgentRequest, 'call' | 'signal'>,
    make: (quiet: boolean) => Promise<Answer>,
  ): Promise<Answer> {
    return callWithFault({ fault: this.fault(call), delayMs: this.#spec.delay_ms, signal, make })
  }

  /** Variants of a case get the same faults. */
  #logOf({ case_id = '', run = 1, variant }: ModelCall): FaultLog {
    const key = runKey({ id: case_id, run, variant })
    let log = this.#logs.get(key)
    if (!log) {
      log = new FaultLog(this.#spec, `${run}\0${case_id}`)
      this.#logs.set(key, log)
    }
    return log
  }
}
