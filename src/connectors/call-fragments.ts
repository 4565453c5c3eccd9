// Tool calls that arrive in pieces in a stream: by index, else by id.
import { isRecord, readString } from '../base/record.js'
import type { ToolCall } from '../model/message.js'
import { notCalls, parseArgs } from './tool-calls.js'

interface Fragment {
  id?: string
  name: string
  text: string
}

export class CallFragments {
  readonly #fragments = new Map<number, Fragment>()

  add(parts: unknown): void {
    if (!Array.isArray(parts)) throw notCalls(parts)
    parts.forEach((part, position) => {
      if (!isRecord(part)) throw notCalls(part)
      const inner = isRecord(part['function']) ? part['function'] : part
      const index = typeof part['index'] === 'number' ? part['index'] : this.#indexFor(readString(part['id']), position)
      const fragment = this.#fragments.get(index) ?? { name: '', text: '' }
      fragment.id ??= readString(part['id']) ?? fragment.id ?? ''
      fragment.name += readString(inner['name']) ?? ''
      const args = inner['arguments'] ?? inner['args']
      fragment.text += typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args)
      this.#fragments.set(index, fragment)
    })
  }

  calls(): ToolCall[] {
    const fragments = [...this.#fragments].toSorted(([a], [b]) => a - b)
    return fragments.map(([, { id, name, text }]) => ({ name, ...parseArgs(text), ...(id && { id }) }))
  }

  /** Throws AgentError for a call that never got a name. */
  requireNames(): void {
    for (const { name, text } of this.#fragments.values()) if (name === '') throw notCalls({ name, arguments: text })
  }

  /** Without an index a new id begins a new call, and everything else belongs to the last one. */
  #indexFor(id: string | undefined, position: number): number {
    if (id === undefined) return Math.max(position, this.#fragments.size - 1)
    for (const [index, fragment] of this.#fragments) if (fragment.id === id) return index
    return this.#fragments.size
  }
}
