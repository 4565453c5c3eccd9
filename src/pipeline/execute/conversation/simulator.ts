// Asks the simulator what the user says next, with its own copy of everything it may see.
import { parseSimulatorAnswer, type SimulatorAnswer } from '../../../agents/helpers/answers.js'
import type { SimulatorSpec } from '../../../model/case.js'
import { pendingIds, reachedIds } from './checkpoints.js'
import type { Conversation } from './conversation.js'
import { toolResults } from './transcript.js'

export async function askSimulator(conversation: Conversation, simulator: SimulatorSpec): Promise<SimulatorAnswer> {
  const { setup, script, transcript, checkpoints } = conversation
  const said = transcript.copy()
  const data: Record<string, unknown> = {
    conversation: said,
    last_response: conversation.lastText,
    turn_number: conversation.answered + 1,
    turn_count: conversation.answered,
    max_turns: script.maxTurns,
    tool_results: toolResults(transcript.toolCalls),
    session_id: setup.session ?? setup.context.chat_id,
  }
  if (checkpoints.length > 0) {
    data.checkpoints_reached = reachedIds(checkpoints)
    data.checkpoints_pending = pendingIds(checkpoints)
  }
  const asMessages = simulator.options?.metadata?.style === 'messages' && said.length > 0
  const answer = await setup.ask({
    role: 'simulator',
    test_id: setup.testCase.id,
    data,
    signal: setup.signal,
    ...(simulator.use === undefined ? {} : { use: simulator.use }),
    ...(simulator.options === undefined ? {} : { options: simulator.options }),
    ...(asMessages ? { messages: transcript.copy() } : {}),
  })
  return parseSimulatorAnswer(answer)
}
