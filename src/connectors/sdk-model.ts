// A language model of a provider package (the AI SDK's provider interface) as a connector.
import { AgentError } from '../errors.js'
import type { Completion, CompletionRequest } from '../model/connector.js'
import type { ToolCall } from '../model/message.js'
import { abortedCall } from './aborted-call.js'
import { defined } from '../base/defined.js'
import { withRetries } from '../http/retry.js'
import { isRecord, readNonEmpty, readString } from '../base/record.js'
import { show } from '../base/text.js'
import { wantsStream } from './completion-options.js'
import { readEnding, type FinishReasons, type Protocol } from './finish-reason.js'
import { badEnding } from './require-ending.js'
import { sdkError } from './sdk-error.js'
import { sdkCallOptions } from './sdk-prompt.js'
import type { SdkModel } from './sdk-types.js'
import { SdkParts } from './sdk-reasoning.js'
import { parseArgs } from './tool-calls.js'
import type { ConnectorTools } from './types.js'
import { normalizeUsage } from './usage.js'
import { monotonicNow } from '../time/clock.js'

export interface SdkSetup {
  model: SdkModel
  /** The provider's name, under which its own parameters are passed. */
  provider: string
  /** The package makes schemas strict unless it is told otherwise. */
  mayBeStrict: boolean
  /** Parameters from the connector file. */
  defaults: Record<string, unknown>
  secrets: string[]
  keySource: string
  tools: ConnectorTools
  finishReasons?: FinishReasons | undefined
}

export function completeWithSdk(setup: SdkSetup): (request: CompletionRequest) => Promise<Completion> {
  return async (request) => {
    const { signal } = request
    const { capabilities, stream: wanted, ...defaults } = setup.defaults
    const options = sdkCallOptions(request, defaults, { ...setup, version: setup.model.specificationVersion })
    const stream = wantsStream(request, { capabilities, stream: wanted })
    const progress = new Gathered(request.onChunk, setup)
    const attempt = async (): Promise<Completion> => {
      progress.reset()
      try {
        if (stream) await progress.read((await setup.model.doStream(options)).stream)
        else progress.takeWhole(await setup.model.doGenerate(options))
        return { ...progress.completion(), ...defined({ reasoning: progress.reasoning() }) }
      } catch (error) {
        throw sdkError(error, setup, progress.partial())
      }
    }
    try {
      const { value, retries } = await withRetries(attempt, {
        signal,
        budget: setup.tools.budget,
        ...defined({ deadline: request.deadline, onWait: request.onWait, baseMs: setup.tools.retryBaseMs }),
      })
      return retries.length > 0 ? { ...value, api_retries: retries } : value
    } catch (error) {
      throw signal.aborted ? abortedCall(signal, progress.partial()) : error
    }
  }
}

/** What has arrived of an answer so far. */
class Gathered {
  readonly #onChunk: ((text: string) => void) | undefined
  readonly #provider: string
  readonly #own: FinishReasons | undefined
  #start = 0
  #content = ''
  #calls: ToolCall[] = []
  #parts = new SdkParts()
  #finishReason: string | undefined
  #usage: unknown
  #firstChunk: number | undefined

  constructor(onChunk: ((text: string) => void) | undefined, { provider, finishReasons }: SdkSetup) {
    this.#onChunk = onChunk
    this.#provider = provider
    this.#own = finishReasons
  }

  reset(): void {
    this.#start = monotonicNow()
    this.#content = ''
    this.#calls = []
    this.#parts = new SdkParts()
    this.#finishReason = undefined
    this.#usage = undefined
    this.#firstChunk = undefined
  }

  takeWhole(result: Awaited<ReturnType<SdkModel['doGenerate']>>): void {
    for (const part of result.content) {
      this.#parts.addWhole(part)
      if (part.type === 'text') this.#content += part.text
      else if (part.type === 'tool-call') this.#addCall(part)
    }
    this.#finish(result)
    if (this.#content !== '') this.#onChunk?.(this.#content)
  }

  async read(stream: Awaited<ReturnType<SdkModel['doStream']>>['stream']): Promise<void> {
    for await (const part of stream) {
      this.#parts.addPiece(part)
      switch (part.type) {
        case 'text-delta':
          this.#firstChunk ??= monotonicNow() - this.#start
          this.#content += part.delta
          this.#onChunk?.(part.delta)
          break
        case 'tool-call':
          this.#firstChunk ??= monotonicNow() - this.#start
          this.#addCall(part)
          break
        case 'finish':
          // Some packages call a stream finished however it ends.
          if (!hasNoReason(part.finishReason)) this.#finish(part)
          else this.#usage = part.usage
          break
        case 'error':
          throw part.error
      }
    }
    if (this.#finishReason === undefined) {
      throw new AgentError({
        code: 'cut_off',
        message: 'the stream ended before the answer was complete: no finish reason',
      })
    }
  }

  completion(): Completion {
    return {
      content: this.#content,
      tool_calls: this.#calls,
      ...defined({
        finish_reason: this.#finishReason,
        refusal: this.#refusal(),
        usage: normalizeUsage(this.#usage),
        first_chunk_ms: this.#firstChunk,
      }),
    }
  }

  reasoning(): unknown[] | undefined {
    return this.#parts.reasoning()
  }

  partial(): Completion | undefined {
    return this.#content === '' && this.#calls.length === 0 ? undefined : this.completion()
  }

  #addCall(part: { toolCallId: string; toolName: string; input: unknown }): void {
    this.#calls.push({ id: part.toolCallId, name: part.toolName, ...parseArgs(part.input) })
  }

  /** One vocabulary for all providers; older packages return a string where newer ones return both their own and the common word. */
  #finish({ finishReason, usage, providerMetadata }: Finish): void {
    const unified = readString(isRecord(finishReason) ? finishReason['unified'] : finishReason) ?? 'other'
    const raw = readNonEmpty(isRecord(finishReason) ? finishReason['raw'] : undefined)
    this.#usage = usage
    if (unified === 'other' && this.partial() === undefined) throw nothingInIt()
    const protocol = PROTOCOLS[this.#provider]
    const word = raw ?? unified
    const block = blockReason(providerMetadata)
    if (block !== undefined && this.partial() !== undefined) throw this.#badEnding(block, `block reason ${show(block)}`)
    const read = block === undefined ? readEnding(protocol ?? 'openai', word, this.#own) : 'content_filter'
    const isUnknown = raw === undefined && (unified === 'unknown' || unified === 'other')
    // A whole answer of any server like OpenAI's may lack a reason.
    if (read === undefined && (!isUnknown || protocol !== undefined))
      throw this.#badEnding(word, isUnknown ? 'no finish reason' : `finish reason ${show(word)}`)
    this.#finishReason = this.#endingOf(read ?? unified, unified, word)
  }

  /** Whether an answer makes calls is for the package to say: Gemini's STOP may, and a call may be the form of the answer. */
  #endingOf(read: string, unified: string, word: string): string {
    if (read !== 'stop' && read !== 'tool_calls') return read
    if (unified !== 'tool-calls') return 'stop'
    return this.#calls.length === 0 ? word : 'tool_calls'
  }

  #badEnding(word: string, why: string): AgentError {
    return badEnding(why, { ...this.completion(), finish_reason: word })
  }

  /** Whether it refused, where that can be known. */
  #refusal(): boolean | undefined {
    if (this.#finishReason === 'refusal') return true
    return this.#provider === 'anthropic' ? false : undefined
  }
}

interface Finish {
  finishReason: unknown
  usage: unknown
  providerMetadata?: unknown
}

/** Of the packages whose protocol we know. Others use the common words, or those of servers like OpenAI's. */
const PROTOCOLS: Partial<Record<string, Protocol>> = { anthropic: 'anthropic', google: 'google', vertex: 'google' }

/** What a package begins a stream with, and still has if no piece had a reason. */
function hasNoReason(finishReason: unknown): boolean {
  if (isRecord(finishReason)) return finishReason['unified'] === 'other' && !readNonEmpty(finishReason['raw'])
  return finishReason === 'unknown'
}

/** Gemini's verdict on the question, which may stand beside an answer. */
function blockReason(metadata: unknown): string | undefined {
  const google = isRecord(metadata) ? (metadata['google'] ?? metadata['vertex']) : undefined
  const feedback = isRecord(google) ? google['promptFeedback'] : undefined
  const reason = isRecord(feedback) ? readNonEmpty(feedback['blockReason']) : undefined
  return reason?.endsWith('_UNSPECIFIED') ? undefined : reason
}

/** Some packages turn anything they do not understand into an empty answer. */
function nothingInIt(): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: 'the answer has no text, no tool calls and no finish reason',
    hint: 'check that options.host is an endpoint of this provider',
  })
}
