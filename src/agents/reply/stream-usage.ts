// Tokens of a stream of chat completions. A tool loop passes on several one after another: each counts.
import { largerUsage, normalizeUsage } from '../../connectors/usage.js'
import { isRecord, readNonEmpty } from '../../base/record.js'
import type { Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'

export class StreamUsage {
  #before: Usage | undefined
  #current: Usage | undefined
  #isFinished = false
  /** Of how many completions nothing is known. */
  #unknown = 0
  #completions = 0

  take(chunk: unknown): void {
    if (!isRecord(chunk) || !Array.isArray(chunk['choices'])) return
    const choice: unknown = chunk['choices'][0]
    if (isRecord(choice)) {
      if (this.#completions === 0 || (this.#isFinished && saysSomething(choice['delta']))) this.#next()
      this.#isFinished ||= readNonEmpty(choice['finish_reason']) !== undefined
    }
    const usage = normalizeUsage(chunk['usage'])
    if (usage) this.#current = largerUsage(this.#current, usage)
  }

  /** `given`: what the last chunk said. */
  total(given: Usage | undefined): Usage | undefined {
    if (this.#completions < 2) return given
    return this.#current && this.#unknown === 0 ? addUsage(this.#before, this.#current) : undefined
  }

  #next(): void {
    if (this.#current) this.#before = addUsage(this.#before, this.#current)
    else if (this.#completions > 0) this.#unknown++
    this.#current = undefined
    this.#isFinished = false
    this.#completions++
  }
}

function saysSomething(delta: unknown): boolean {
  return isRecord(delta) && Object.keys(delta).length > 0
}
