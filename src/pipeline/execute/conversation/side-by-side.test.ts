// Many conversations at once: no transcript, simulator or verdict of one is ever seen in another.
import { expect, test } from 'vitest'
import { converseAll } from '../../../../test/support/converse-all.js'
import type { AgentRequest } from '../../../model/agent.js'
import type { HelperCall } from '../../../model/helper.js'

const CONVERSATIONS = 200

/** Waits a different number of turns of the event loop each time, so that conversations overtake each other. */
async function wander(seed: number): Promise<void> {
  for (let left = seed % 7; left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
}

test('transcripts are never mixed', async () => {
  const foreign: string[] = []
  const ownOnly = (mark: string, text: string): void => {
    for (const [, other] of text.matchAll(/<(\d+)>/g)) if (other !== mark) foreign.push(`${mark} saw ${other}`)
  }
  const agent = {
    id: 'shared',
    send: async ({ messages, context }: AgentRequest) => {
      const mark = context.chat_id
      ownOnly(mark, JSON.stringify(messages))
      await wander(Number(mark) + messages.length)
      return {
        content: `<${mark}> answer ${messages.length}`,
        tool_calls: [{ name: 't', args: { mark: `<${mark}>` } }],
      }
    },
  }
  const ask = async (call: HelperCall): Promise<unknown> => {
    const mark = String(call.data['session_id'])
    ownOnly(mark, JSON.stringify(call.data))
    await wander(Number(mark) * 3)
    return { input: `<${mark}> says ${String(call.data['turn_number'])}`, goal_achieved: false }
  }
  const results = await converseAll(CONVERSATIONS, { agent, ask }, (mark) => ({
    id: `T${mark}`,
    input: `<${mark}> starts`,
    simulator: { use: 'sim' },
    max_turns: 2 + (mark % 5),
    checkpoints: [{ id: 'never', assertion: { type: 'contains', value: 'unsayable' } }],
  }))
  expect(foreign).toEqual([])
  results.forEach((result, mark) => {
    expect(result.total_turns).toBe(2 + (mark % 5))
    ownOnly(String(mark), JSON.stringify(result))
    expect(result.turns?.map((turn) => turn.turn)).toEqual(result.turns?.map((_turn, index) => index + 1))
  })
  expect(foreign).toEqual([])
})
