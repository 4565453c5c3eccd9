// Scripted answers in use: which one comes next, when, and what a scripted error is.
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError, type AgentErrorCode } from '../errors.js'
import { TRANSIENT_CODES } from '../model/status.js'
import type { MockResponse } from '../model/connector.js'
import { compilePattern } from '../base/regex.js'
import { abortedCall } from './aborted-call.js'

/** Conversations in memory. Far more than ever run at the same time; beyond that the oldest is forgotten. */
const MAX_CONVERSATIONS = 10_000

export class MockScript {
  readonly #responses: MockResponse[]
  readonly #used = new Map<string, Set<number>>()

  constructor(responses: MockResponse[]) {
    this.#responses = responses
  }

  /** The first unused one that fits; undefined: there is none. */
  take(conversation: string, text: string, hat?: string): MockResponse | undefined {
    const taken = this.#used.get(conversation) ?? new Set()
    this.#used.delete(conversation)
    this.#used.set(conversation, taken)
    if (this.#used.size > MAX_CONVERSATIONS) this.#used.delete(this.#used.keys().next().value ?? '')
    const at = this.#responses.findIndex((response, index) => !taken.has(index) && fits(response, text, hat))
    if (at >= 0) taken.add(at)
    return this.#responses[at]
  }

  get size(): number {
    return this.#responses.length
  }

  used(conversation: string): number {
    return this.#used.get(conversation)?.size ?? 0
  }
}

function fits(response: MockResponse, text: string, hat: string | undefined): boolean {
  if (response.hat !== undefined && hat !== undefined && response.hat !== hat) return false
  return response.trigger_pattern === undefined || compilePattern(response.trigger_pattern).test(text)
}

export async function waitFor({ delay_ms }: MockResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw abortedCall(signal)
  if (!delay_ms || delay_ms <= 0) return
  await sleep(delay_ms, undefined, { signal }).catch(() => {
    throw abortedCall(signal)
  })
}

const CODES: readonly string[] = [...TRANSIENT_CODES, 'auth', 'quota']

/** `rate_limit: slow down` plays that error; any other text is a plain failure. */
export function scriptedError(text: string): AgentError {
  const [word = '', ...rest] = text.split(':')
  const known = CODES.includes(word.trim())
  const message = known && rest.length > 0 ? rest.join(':').trim() : text
  return new AgentError({ code: known ? (word.trim() as AgentErrorCode) : 'failed', message })
}
