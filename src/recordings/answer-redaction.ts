// `redactions.paths` of a recording: values of an answer that are never kept.
import { isEqual } from '../base/equal.js'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import type { RecordedResponse } from '../model/cassette.js'
import { createPathRedaction } from '../redact/custom.js'

export interface AnswerRedaction {
  apply(response: RecordedResponse): RecordedResponse
  /** A path that never matched may be a typo, and what it was meant to hide is there. */
  unused(): string[]
}

/** Throws a UserError for anything that is not a path, or not one into an answer. */
export function createAnswerRedaction(paths: readonly string[]): AnswerRedaction {
  // All together, so that the error names the wrong one by its index.
  createPathRedaction(paths)
  for (const [index, path] of paths.entries()) requireAnswer(path, index)
  const rules = paths.map((path) => ({
    path,
    inResponse: isInto(path, 'response'),
    replace: createPathRedaction([path]),
    hits: 0,
  }))
  return {
    apply: (given) => {
      let response = structuredClone(given)
      for (const rule of rules) {
        const next = rule.inResponse
          ? responseOf(rule.replace({ response: structuredClone(response) }), response)
          : inAnswer(response, rule.replace)
        if (JSON.stringify(next) !== JSON.stringify(response)) rule.hits += 1
        response = next
      }
      return response
    },
    unused: () => rules.filter(({ hits }) => hits === 0).map(({ path }) => `redactions.paths: ${path} matched nothing`),
  }
}

/** Not into the request, and not everything. */
export function leadsIntoAnswer(path: string): boolean {
  return !isInto(path, 'request') && path.trim() !== '$'
}

function requireAnswer(path: string, index: number): void {
  if (leadsIntoAnswer(path)) return
  throw new UserError({
    code: 'BAD_REDACTION',
    message: `redactions.paths[${index}]: ${path} does not lead into an answer`,
    hint: 'only a hash of a request is kept: use redactions.patterns for what changes in prompts',
  })
}

function isInto(path: string, part: 'request' | 'response'): boolean {
  return new RegExp(`^\\s*\\$\\s*(?:\\.\\s*${part}\\b|\\[\\s*["']${part}["']\\s*\\])`).test(path)
}

/** If the answer as a whole is hidden, its duration remains. */
function responseOf(value: unknown, { duration_ms }: RecordedResponse): RecordedResponse {
  const response = isRecord(value) ? value['response'] : undefined
  return isRecord(response) ? { duration_ms, ...response } : { output: '[REDACTED]', duration_ms }
}

/** In an answer that is JSON, and in what is kept beside it: `$.output.token`, `$..token` in the arguments of a call. */
function inAnswer(response: RecordedResponse, replace: (value: unknown) => unknown): RecordedResponse {
  const { duration_ms, ...rest } = structuredClone(response)
  if ('output' in rest) rest.output = inOutput(rest.output, replace)
  const hidden = replace(rest)
  return isRecord(hidden) && !isEqual({ ...hidden, duration_ms }, response) ? { ...hidden, duration_ms } : response
}

/** Text that is JSON stays text that is JSON. */
function inOutput(output: unknown, replace: (value: unknown) => unknown): unknown {
  const parsed = typeof output === 'string' ? parseJson(output)?.value : output
  if (!isRecord(parsed) && !Array.isArray(parsed)) return output
  const before = JSON.stringify(parsed)
  const after = replace(parsed)
  if (JSON.stringify(after) === before) return output
  return typeof output === 'string' ? JSON.stringify(after) : after
}
