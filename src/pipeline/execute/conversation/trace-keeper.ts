// The steps of a case's agent as its result keeps them: each message once, and no more text than a line has room for.
import { createHash } from 'node:crypto'
import { asJson, asText, clip } from '../../../base/text.js'
import type { TraceStep } from '../../../model/agent.js'
import type { Message } from '../../../model/message.js'

/** Of one text. */
const MOST_TEXT = 16 * 1024
/** Of anything else in a message, such as a picture. */
const MOST_PART = 2 * 1024
/** Of all steps of a case. */
const MOST_IN_ALL = 128 * 1024

export class TraceKeeper {
  /** Hashes of what models were sent, and of what the agent added. */
  readonly #known = new Set<string>()
  #tools: string | undefined
  #room = MOST_IN_ALL

  /** `added`: what the agent's answer added to the conversation. It will be sent with the next question. */
  keep(steps: TraceStep[], added: Message[] = []): TraceStep[] {
    let isFirst = true
    const own = new Set(added.map(keyOf))
    const kept = steps.map((step) => {
      if (step.kind === 'hook' && step.returned !== undefined) return this.#hook(step)
      if (step.sent === undefined) return step
      const fresh = this.#model(step, isFirst ? new Set<string>() : own)
      isFirst = false
      return fresh
    })
    for (const key of own) this.#known.add(key)
    return kept
  }

  #hook(step: TraceStep): TraceStep {
    const fit = this.#fit(step.returned)
    const { returned: _returned, ...rest } = step
    return { ...rest, ...(fit.value !== undefined && { returned: fit.value }), ...(fit.isCut && { cut: true }) }
  }

  /** `own`: what the loop of this answer adds is in its other steps. */
  #model(step: TraceStep, own: ReadonlySet<string>): TraceStep {
    const { sent = [], sent_before = 0, tools, received, ...rest } = step
    const kept: TraceStep = rest
    let isCut = false
    const fresh = sent.filter((message, index) => this.#isNew(message, own, index === sent.length - 1))
    const messages = fresh.map((message) => {
      const fit = this.#fit(message.content)
      isCut ||= fit.isCut
      const { role, name } = message
      return { role, ...(name !== undefined && { name }), ...(fit.value !== undefined && { content: fit.value }) }
    })
    if (messages.length > 0) kept.sent = messages
    const before = sent_before + sent.length - fresh.length
    if (before > 0) kept.sent_before = before
    const names = tools?.join('\n')
    if (names !== this.#tools && tools !== undefined) kept.tools = tools
    this.#tools = names
    if (received) {
      const fit = this.#fit(received.content)
      isCut ||= fit.isCut
      kept.received = { ...received, content: fit.value ?? '' }
    }
    if (isCut) kept.cut = true
    return kept
  }

  /** Someone may say the same twice: what is answered is always kept. */
  #isNew(message: { role: string; content?: unknown }, own: ReadonlySet<string>, isLast: boolean): boolean {
    const key = keyOf(message)
    if (own.has(key)) return false
    const isKnown = this.#known.has(key)
    this.#known.add(key)
    return !isKnown || (isLast && message.role !== 'tool')
  }

  #fit(content: unknown): { value: unknown; isCut: boolean } {
    if (content === null || content === undefined || content === '') return { value: undefined, isCut: false }
    if (this.#room <= 0) return { value: undefined, isCut: true }
    const value = Array.isArray(content) ? content.map(fitPart) : fitValue(content, MOST_TEXT)
    const text = asText(value)
    this.#room -= text.length
    return { value, isCut: text.length < asText(content).length }
  }
}

function keyOf(message: object): string {
  return createHash('sha1').update(asJson(message)).digest('base64')
}

function fitPart(part: unknown): unknown {
  const isText = typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
  return isText ? { ...part, text: fitValue(part.text, MOST_TEXT) } : fitValue(part, MOST_PART)
}

function fitValue(value: unknown, most: number): unknown {
  if (typeof value === 'string') return clip(value, most)
  const text = asJson(value)
  return text.length <= most ? value : clip(text, most)
}
