// One exchange as evidence: judged while it is whole, then cut to a size that a result line has room for.
import { canonicalJson } from '../base/json/canonical-json.js'
import { defined } from '../base/defined.js'
import { isRecord, readString } from '../base/record.js'
import { clip } from '../base/text.js'
import type { Probe, ProbePurpose } from '../model/contract.js'
import { resultOf, type Exchange } from '../mcp-client/exchange.js'
import { specProblems, type SpecType } from '../mcp-client/spec-problems.js'
import { errorWords, textOf } from './error-words.js'

export interface ProbeFacts {
  purpose: ProbePurpose
  why?: string | undefined
  /** The type that the protocol gives the result. */
  type: SpecType
  /** Of the tool that was called: what is wrong with structured output. */
  output?: ((structured: unknown) => string[]) | undefined
}

/** What a result line has room for, of each. */
const KEPT = 2000
const MOST_PROBLEMS = 5

export function probeOf(exchange: Exchange, { purpose, why, type, output }: ProbeFacts): Probe {
  const { request, answer, ended, ms, bytes } = exchange
  const failure = failureOf(exchange)
  const protocol = answer === undefined ? [] : protocolProblems(exchange, type)
  const structured = output && failure === undefined ? outputProblems(exchange, output) : []
  const progress = progressProblems(exchange.progress)
  const isWorking = ended === 'timeout' && exchange.progress.length > 0
  return {
    purpose,
    ...defined({ why }),
    request: shortened(request),
    ...(answer !== undefined && { answer: shortened(answer) }),
    ended,
    ...defined({ reason: exchange.why }),
    ms: Math.round(ms),
    bytes,
    ...failure,
    ...(protocol.length > 0 && { protocol }),
    ...(structured.length > 0 && { output: structured }),
    ...(progress.length > 0 && { progress }),
    ...(isWorking && { works: true }),
  }
}

/** Whether the server said that it could do what was asked. */
export function isSuccess({ ended, failed }: Probe): boolean {
  return ended === 'answered' && (failed === undefined || failed === 'words')
}

function failureOf(exchange: Exchange): Pick<Probe, 'failed' | 'said' | 'code'> | undefined {
  const { answer } = exchange
  if (answer === undefined) return undefined
  if ('error' in answer) {
    const { error } = answer
    const message = isRecord(error) ? readString(error['message']) : undefined
    const code = isRecord(error) && typeof error['code'] === 'number' ? error['code'] : undefined
    return { failed: 'error', said: clip(message ?? canonicalJson(error), 500), ...defined({ code }) }
  }
  const result = resultOf(exchange)
  if (!result) return undefined
  if (result['isError'] === true)
    return { failed: 'is_error', said: clip(textOf(result) || canonicalJson(result), 500) }
  const words = errorWords(result)
  return words === undefined ? undefined : { failed: 'words', said: clip(words, 500) }
}

function protocolProblems({ answer }: Exchange, type: SpecType): string[] {
  if (answer === undefined) return []
  if ('error' in answer) {
    const { error } = answer
    if (!isRecord(error)) return ['error: is not an object']
    return [
      ...(Number.isInteger(error['code']) ? [] : ['error.code: is not a whole number']),
      ...(typeof error['message'] === 'string' ? [] : ['error.message: is not text']),
    ]
  }
  return specProblems(type, answer.result).slice(0, MOST_PROBLEMS)
}

function outputProblems(exchange: Exchange, output: (structured: unknown) => string[]): string[] {
  const result = resultOf(exchange)
  if (!result) return []
  if (result['structuredContent'] === undefined)
    return ['there is no structuredContent, which the output schema requires']
  return output(result['structuredContent']).slice(0, MOST_PROBLEMS)
}

function progressProblems(seen: readonly unknown[]): string[] {
  let last = -Infinity
  for (const params of seen) {
    const progress = isRecord(params) ? params['progress'] : undefined
    if (typeof progress !== 'number') return ['a progress notification has no number "progress"']
    if (progress <= last) return [`progress went from ${last} to ${progress}: it must increase with each notification`]
    last = progress
  }
  return []
}

/** The same value, if it is short enough; else with its longest texts cut, or as text that is cut. */
export function shortened(value: unknown): unknown {
  if (value === undefined || sizeOf(value) <= KEPT) return value
  const cut = withCutTexts(value, 300)
  return sizeOf(cut) <= KEPT * 2 ? cut : `${JSON.stringify(cut).slice(0, KEPT)}… (cut)`
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}

function withCutTexts(value: unknown, most: number): unknown {
  if (typeof value === 'string')
    return value.length > most ? `${value.slice(0, most)}… (${value.length} characters)` : value
  if (Array.isArray(value)) {
    const items = value.slice(0, 20).map((item: unknown) => withCutTexts(item, most))
    return value.length > 20 ? [...items, `… (${value.length} items)`] : items
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withCutTexts(item, most)]))
}
