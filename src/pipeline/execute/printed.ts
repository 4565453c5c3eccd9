// What the scripts around a conversation print: `before` first, then what the agent printed, then assertions and `after`.
import { LogKeeper } from '../../scripts/host/log-keeper.js'
import type { ConversationResult } from './conversation/contract.js'

type When = 'before' | 'after'

/** Created for every case, used by few. */
export class Printed {
  #kept: Partial<Record<When, LogKeeper>> | undefined

  add(line: string, when: When): void {
    this.#kept ??= {}
    const keeper = (this.#kept[when] ??= new LogKeeper())
    keeper.add(line)
  }

  hooks(): Record<When, (line: string) => void> {
    return { before: (line) => this.add(line, 'before'), after: (line) => this.add(line, 'after') }
  }

  addTo(result: ConversationResult): void {
    if (!this.#kept) return
    const { before, after } = this.#kept
    result.logs = [...(before?.lines() ?? []), ...(result.logs ?? []), ...(after?.lines() ?? [])]
    const dropped = (result.logs_dropped ?? 0) + (before?.dropped ?? 0) + (after?.dropped ?? 0)
    if (dropped > 0) result.logs_dropped = dropped
  }
}
