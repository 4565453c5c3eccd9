// `options.history`: the earlier replies of a conversation as its agent returned them, with what no message can hold.
import type { AgentOptions } from '../model/agent.js'

export class Histories {
  readonly #byChat = new Map<string, unknown[]>()

  /** The options with the history, unless this is the first turn or the case has options of that name. */
  addTo(options: AgentOptions, chatId: string, turn = 1): AgentOptions {
    const earlier = this.#byChat.get(chatId)
    if (turn <= 1 || !earlier || 'history' in options) return options
    return { ...options, history: earlier.slice(0, turn - 1) }
  }

  /** Without a number of the turn it is not a conversation. */
  keep(chatId: string, turn: number | undefined, returned: unknown): void {
    if (turn === undefined) return
    const earlier = this.#byChat.get(chatId) ?? []
    // A turn that was answered without the agent, from a recording, leaves a gap.
    while (earlier.length < turn - 1) earlier.push(null)
    earlier[turn - 1] = returned
    this.#byChat.set(chatId, earlier)
  }

  forget(chatId: string): void {
    this.#byChat.delete(chatId)
  }
}
