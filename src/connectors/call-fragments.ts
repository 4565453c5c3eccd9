// Tool calls that a stream brings in pieces: by index, else by id.
import { parseJson } from '../base/json/parse-json.js'
import { isRecord, readString } from '../base/record.js'
import type { ToolCall } from '../model/message.js'
import { notCalls, parseArgs } from './tool-calls.js'

interface Fragment {
  index: number
  id?: string
  name: string
  text: string
  /** What some servers have beside a call: a signature. */
  beside?: unknown
}

export class CallFragments {
  readonly #fragments: Fragment[] = []

  add(parts: unknown): void {
    if (!Array.isArray(parts)) throw notCalls(parts)
    parts.forEach((part, position) => {
      if (!isRecord(part)) throw notCalls(part)
      const inner = isRecord(part['function']) ? part['function'] : part
      const id = readString(part['id'])
      const name = readString(inner['name']) ?? ''
      const index = typeof part['index'] === 'number' ? part['index'] : this.#indexFor(id, position)
      const fragment = this.#fragmentAt(index, id, name)
      fragment.id ??= id ?? ''
      // Some servers say the name with every piece.
      if (name !== fragment.name) fragment.name += name
      if (isRecord(part['extra_content'])) fragment.beside = part['extra_content']
      const args = inner['arguments'] ?? inner['args']
      fragment.text += typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args)
    })
  }

  get size(): number {
    return this.#fragments.length
  }

  calls(): ToolCall[] {
    return this.#inOrder().map(({ id, name, text }) => ({ name, ...parseArgs(text), ...(id && { id }) }))
  }

  beside(): unknown[] {
    return this.#inOrder().map((fragment) => fragment.beside)
  }

  #inOrder(): Fragment[] {
    return this.#fragments.toSorted((a, b) => a.index - b.index)
  }

  /** Throws AgentError for a call that never got a name. */
  requireNames(): void {
    for (const { name, text } of this.#fragments) if (name === '') throw notCalls({ name, arguments: text })
  }

  /** Some servers give every call the index 0: then another id, or a name after whole arguments, begins a new one. */
  #fragmentAt(index: number, id: string | undefined, name: string): Fragment {
    const current = this.#fragments.findLast((fragment) => fragment.index === index)
    const isOther = id ? current?.id !== undefined && current.id !== '' && current.id !== id : isWhole(current, name)
    if (current && !isOther) return current
    const fragment = { index, name: '', text: '' }
    this.#fragments.push(fragment)
    return fragment
  }

  /** Without an index a new id begins a new call, and everything else belongs to the last one. */
  #indexFor(id: string | undefined, position: number): number {
    if (id === undefined) return Math.max(position, this.#fragments.length - 1)
    return this.#fragments.find((fragment) => fragment.id === id)?.index ?? this.#fragments.length
  }
}

function isWhole(current: Fragment | undefined, name: string): boolean {
  return current !== undefined && name !== '' && isRecord(parseJson(current.text)?.value)
}
