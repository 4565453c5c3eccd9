// Faults around an agent's tools: it sees them as it would see a failing tool.
import type { AroundTools } from '../../agents/package/tools/toolbox.js'
import type { ToolOutcome } from '../../model/given-tools.js'
import { asText } from '../../base/text.js'
import type { Fault } from '../../model/fault.js'
import { linger } from './faults.js'
import type { ToolboxCall } from '../interceptor.js'
import type { RunChaos } from './run-chaos.js'

export function toolsWithFaults(chaos: RunChaos, { call, signal }: ToolboxCall): AroundTools {
  return {
    list: (_server, live) => live(),
    call: async (request, live) => {
      const fault = call.lane === 'agent' ? chaos.fault({ ...call, lane: 'tools' }, request.name) : undefined
      if (fault === undefined) return live(call)
      return ANSWERS[fault](
        () => live(call),
        () => linger(chaos.delayMs, signal),
      )
    },
  }
}

type Answer = (run: () => Promise<ToolOutcome>, wait: () => Promise<void>) => Promise<ToolOutcome>

const ANSWERS: Record<Fault, Answer> = {
  timeout: async (_run, wait) => {
    await wait()
    return { error: 'chaos: the tool did not answer' }
  },
  error: async () => ({ error: 'chaos: the tool failed' }),
  slow: async (run, wait) => {
    await wait()
    return run()
  },
  malformed: async (run) => {
    const outcome = await run()
    return 'error' in outcome ? outcome : { result: `{"chaos": ${halfOf(outcome.result)}` }
  },
  // It may have done its work.
  dropped: async (run) => {
    await run()
    return { error: 'chaos: the connection to the tool broke off' }
  },
}

function halfOf(result: unknown): string {
  const text = asText(result)
  return text.slice(0, Math.floor(text.length / 2))
}
