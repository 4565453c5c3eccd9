// A language model of a provider package (the AI SDK's provider interface) as a connector.
import { AgentError } from '../errors.js'
import type { Completion, CompletionRequest } from '../model/connector.js'
import type { ToolCall } from '../model/message.js'
import { abortedCall } from './aborted-call.js'
import { defined } from '../base/defined.js'
import { withRetries } from '../http/retry.js'
import { isRecord, readString } from '../base/record.js'
import { wantsStream } from './completion-options.js'
import { readFinishReason } from './finish-reason.js'
import { sdkError } from './sdk-error.js'
import { sdkCallOptions } from './sdk-prompt.js'
import type { SdkModel } from './sdk-types.js'
import { parseArgs } from './tool-calls.js'
import type { ConnectorTools } from './types.js'
import { normalizeUsage } from './usage.js'
import { monotonicNow } from '../time/clock.js'

export interface SdkSetup {
  model: SdkModel
  /** The provider's name, under which its own parameters are passed. */
  provider: string
  /** Parameters from the connector file. */
  defaults: Record<string, unknown>
  secrets: string[]
  keySource: string
  tools: ConnectorTools
}

export function completeWithSdk(setup: SdkSetup): (request: CompletionRequest) => Promise<Completion> {
  return async (request) => {
    const { signal } = request
    const { capabilities, stream: wanted, ...defaults } = setup.defaults
    const options = sdkCallOptions(request, defaults, setup.provider)
    const stream = wantsStream(request, { capabilities, stream: wanted })
    const progress = new Gathered(request.onChunk, setup.provider === 'google')
    const attempt = async (): Promise<Completion> => {
      progress.reset()
      try {
        if (stream) await progress.read((await setup.model.doStream(options)).stream)
        else progress.takeWhole(await setup.model.doGenerate(options))
        return progress.completion()
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
  /** Its package calls a stream finished however it ends; the others see for themselves whether a reason came. */
  readonly #isGemini: boolean
  #start = 0
  #content = ''
  #calls: ToolCall[] = []
  #finishReason: string | undefined
  #usage: unknown
  #firstChunk: number | undefined

  constructor(onChunk: ((text: string) => void) | undefined, isGemini: boolean) {
    this.#onChunk = onChunk
    this.#isGemini = isGemini
  }

  reset(): void {
    this.#start = monotonicNow()
    this.#content = ''
    this.#calls = []
    this.#finishReason = undefined
    this.#usage = undefined
    this.#firstChunk = undefined
  }

  takeWhole(result: Awaited<ReturnType<SdkModel['doGenerate']>>): void {
    for (const part of result.content) {
      if (part.type === 'text') this.#content += part.text
      else if (part.type === 'tool-call') this.#addCall(part)
    }
    this.#finish(result)
    if (this.#content !== '') this.#onChunk?.(this.#content)
  }

  async read(stream: Awaited<ReturnType<SdkModel['doStream']>>['stream']): Promise<void> {
    for await (const part of stream) {
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
          this.#finish(part)
          if (this.#isGemini && hasNoReason(part.finishReason)) this.#finishReason = undefined
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
        usage: normalizeUsage(this.#usage),
        first_chunk_ms: this.#firstChunk,
      }),
    }
  }

  partial(): Completion | undefined {
    return this.#content === '' && this.#calls.length === 0 ? undefined : this.completion()
  }

  #addCall(part: { toolCallId: string; toolName: string; input: unknown }): void {
    this.#calls.push({ id: part.toolCallId, name: part.toolName, ...parseArgs(part.input) })
  }

  /** One vocabulary for all providers; older packages return a string where newer ones return both their own and the common word. */
  #finish({ finishReason, usage }: { finishReason: unknown; usage: unknown }): void {
    const word = readString(isRecord(finishReason) ? finishReason['unified'] : finishReason) ?? 'other'
    const raw = isRecord(finishReason) ? finishReason['raw'] : undefined
    const lacksCalls = word === 'tool-calls' && this.#calls.length === 0
    this.#finishReason = (lacksCalls ? readFinishReason(raw, []) : undefined) ?? word.replaceAll('-', '_')
    this.#usage = usage
    if (word === 'other' && this.partial() === undefined) throw nothingInIt()
  }
}

/** What the package begins with, and still has if no piece had one. */
function hasNoReason(finishReason: unknown): boolean {
  return isRecord(finishReason) && finishReason['unified'] === 'other' && finishReason['raw'] === undefined
}

/** Some packages turn anything they do not understand into an empty answer. */
function nothingInIt(): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: 'the answer has neither text nor tool calls, nor a reason why it ended',
    hint: 'check that options.host is an endpoint of this provider',
  })
}
