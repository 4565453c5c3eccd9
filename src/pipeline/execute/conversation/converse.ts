// One attempt's conversation with the agent: the one entry for every mode.
import type { ConversationResult, ConversationSetup } from './contract.js'
import { mayAskPerson } from './script.js'
import { converseOnce } from './standard.js'

export function converse(setup: ConversationSetup): ConversationResult | Promise<ConversationResult> {
  return isOneCall(setup) ? converseOnce(setup) : converseInTurns(setup)
}

// The other modes are loaded when the first case needs them.
async function converseInTurns(setup: ConversationSetup): Promise<ConversationResult> {
  const { converseInTurns: run } = await import('./turns.js')
  return run(setup)
}

function isOneCall(setup: ConversationSetup): boolean {
  const { testCase } = setup
  if (testCase.turns !== undefined || testCase.simulator !== undefined) return false
  if (testCase.checkpoints !== undefined && testCase.checkpoints.length > 0) return false
  if (testCase.final_assertions !== undefined && testCase.final_assertions.length > 0) return false
  if (testCase.type === 'multi_turn') return false
  return !mayAskPerson(setup)
}
