// The executor of every mode with more than one call: next input → agent → judge → go on or stop.
import type { ConversationResult, ConversationSetup } from './contract.js'
import { Conversation } from './conversation.js'
import { endedBy } from './failure.js'
import { type Ending, nextInput } from './next-input.js'
import { conversationResult } from './result.js'
import { takeTurn } from './take-turn.js'

export async function converseInTurns(setup: ConversationSetup): Promise<ConversationResult> {
  const conversation = new Conversation(setup)
  return conversationResult(conversation, await endingOf(conversation))
}

async function endingOf(conversation: Conversation): Promise<Ending> {
  try {
    await openWithHistory(conversation)
    for (;;) {
      const next = await nextInput(conversation)
      if (next.kind !== 'input') return next
      const failure = await takeTurn(conversation, next)
      if (failure) return { kind: 'failed', failure }
    }
  } catch (thrown) {
    const failure = endedBy(thrown, conversation.setup.signal)
    if (!failure) throw thrown
    return { kind: 'failed', failure }
  }
}

async function openWithHistory({ script, setup, transcript }: Conversation): Promise<void> {
  if (script.history.length > 0) transcript.add(await setup.run.messagesOf(script.history))
}
