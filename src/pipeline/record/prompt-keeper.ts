// A system prompt is the same in most cases of a run: it is written once, as an event of its own, and results refer to it.
import { createHash } from 'node:crypto'
import { clip } from '../../base/text.js'
import type { TraceStep } from '../../model/agent.js'
import type { PromptEvent, ResultEvent, RunEvent } from '../../model/event.js'

/** A shorter one stays where it is. */
const LONG = 400
/** Of different ones. Agents that put the case into their prompt have one for each. */
const MOST = 50
/** What stays of those beyond. */
const REST = 4 * 1024

type Sent = NonNullable<TraceStep['sent']>[number]

export class PromptKeeper {
  readonly #redact: (text: string) => string
  /** By a hash of the prompt as it was sent. Of what was hidden in it, the id must say nothing. */
  readonly #ids = new Map<string, string>()

  constructor(redact: (text: string) => string) {
    this.#redact = redact
  }

  /** The event, after the prompts that it is the first to refer to. */
  withPrompts(event: RunEvent): RunEvent[] {
    if (event.type !== 'result' || !event.trace?.some(hasPrompt)) return [event]
    const fresh: PromptEvent[] = []
    const trace = event.trace.map((step) =>
      step.sent ? { ...step, sent: step.sent.map((message) => this.#referred(message, fresh)) } : step,
    )
    return [...fresh, { ...event, trace } satisfies ResultEvent]
  }

  #referred(message: Sent, fresh: PromptEvent[]): Sent {
    const { content, ...rest } = message
    if (!isPrompt(message) || typeof content !== 'string') return message
    const key = hash(content)
    const known = this.#ids.get(key)
    if (known !== undefined) return { ...rest, prompt: known }
    if (this.#ids.size >= MOST) return { ...rest, content: clip(content, REST) }
    const id = hash(this.#redact(content)).slice(0, 12)
    this.#ids.set(key, id)
    fresh.push({ type: 'prompt', id, text: content })
    return { ...rest, prompt: id }
  }
}

function hasPrompt({ sent = [] }: TraceStep): boolean {
  return sent.some(isPrompt)
}

function isPrompt({ role, content }: Sent): boolean {
  return (role === 'system' || role === 'developer') && typeof content === 'string' && content.length > LONG
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
