// With `--otel`: each call of the agent learns which span it is part of, so that its own spans join.
import { traceparentOf } from '../../base/trace-ids.js'
import type { Agent } from '../../model/agent.js'

export function tracedAgent(agent: Agent, runId: string): Agent {
  return {
    ...agent,
    send: (request) => {
      const { case_id: id, run = 1, variant, attempt = 1 } = request.call
      if (id === undefined) return agent.send(request)
      const traceparent = traceparentOf(runId, { id, run, variant, attempt, turn: request.turn ?? 1 })
      return agent.send({ ...request, traceparent })
    },
  }
}
