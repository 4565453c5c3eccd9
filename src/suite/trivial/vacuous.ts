// Whether a case could be passed by an agent that does nothing useful.
import type { AssertionSpec } from '../../model/assertion.js'
import type { Said } from '../conduct.js'
import { messagesIn, type Stage } from '../stage.js'
import { asText } from '../../base/text.js'
import { failsAtOnce } from './at-once.js'
import { TRIVIAL_AGENTS, type TrivialAgent } from './agents.js'

export interface Vacuous {
  id: string
  /** Those that pass the case, in the order of the list. */
  agents: TrivialAgent['name'][]
  /** An assertion that each of them would fail. */
  catch?: AssertionSpec
}

/** `said`: the user's side, where a simulator or a person spoke. `enough`: one that passes is enough. */
export async function passedTrivially(
  stage: Stage,
  said: Said[],
  { enough = false } = {},
): Promise<TrivialAgent['name'][]> {
  const passed: TrivialAgent['name'][] = []
  const { testCase } = stage
  const isStopped = failsAtOnce(stage)
  const asked = messagesIn(testCase.messages ?? testCase.input ?? '')
  for (const agent of TRIVIAL_AGENTS) {
    if (isStopped(asText(agent.answer(asked, testCase).content))) continue
    const played = await stage.play({ answer: (_turn, messages) => agent.answer(messages, testCase), said })
    if (played.verdict !== 'passed') continue
    passed.push(agent.name)
    if (enough) break
  }
  return passed
}
