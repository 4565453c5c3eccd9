// One attempt's conversation with the agent, in every mode: next input → agent → judge → continue or stop.
import type { ConversationResult } from './contract.js'
import type { Conversation } from './conversation.js'
import { agentFailure, endedBy, inputFailure } from './failure.js'
import type { NextInput } from './next-input.js'
import { closedResult, endedResult } from './result.js'
import { failTurn, takeTurn } from './take-turn.js'

export async function converse(conversation: Conversation): Promise<ConversationResult> {
  const { script, setup, transcript } = conversation
  try {
    if (setup.state) {
      try {
        conversation.stateBefore = await setup.state.read('before')
      } catch (thrown) {
        return endedResult(conversation, { kind: 'failed', failure: inputFailure(thrown, setup.signal) })
      }
    }
    if (script.history.length > 0) transcript.add(await setup.run.messagesOf(script.history))
    for (;;) {
      const next = scriptedInput(conversation) ?? (await otherInput(conversation))
      if (next.kind === 'complete') return closedResult(conversation)
      if (next.kind !== 'input') return endedResult(conversation, next)
      const failure = await takeTurn(conversation, next)
      if (failure) return endedResult(conversation, { kind: 'failed', failure })
    }
  } catch (thrown) {
    const failure = endedBy(thrown, setup.signal)
    if (!failure) throw thrown
    return endedResult(conversation, { kind: 'failed', failure })
  }
}

/** The agent kept going although its time was up: what is known about the conversation without it. */
export function abandoned(conversation: Conversation): ConversationResult {
  const { setup, turns, answered } = conversation
  conversation.isAbandoned = true
  const failure = agentFailure(setup.signal.reason, setup.signal)
  const open = turns[answered]
  if (open) failTurn(open, failure)
  return endedResult(conversation, { kind: 'failed', failure })
}

const COMPLETE: NextInput = { kind: 'complete' }

/** What the case itself says next, if anything. */
function scriptedInput({ script, answered }: Conversation): NextInput | undefined {
  if (script.mode === 'single' && answered > 0) return COMPLETE
  const planned = script.turns[answered]
  if (planned?.input === undefined || answered >= script.maxTurns) return undefined
  return { kind: 'input', input: planned.input, source: 'static', planned }
}

// Most cases say all there is to say: the other sources are loaded when the first case needs them.
async function otherInput(conversation: Conversation): Promise<NextInput> {
  const { nextInput } = await import('./next-input.js')
  return nextInput(conversation)
}
