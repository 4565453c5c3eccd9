// A text that is one JSON value, with everything wrong about it: syntax, repeated keys, numbers, nesting.
import type { Problem } from '../../errors.js'
import { countKeys, MAX_DEPTH, scanJson } from '../../base/json/json-text.js'
import { positionOf } from './raw-value.js'

export interface StrictJson {
  value: unknown
  problems: Problem[]
}

/** `line`: where the text begins in its file. */
export async function parseStrictJson(text: string, line = 1): Promise<StrictJson> {
  const raw = { text, line, column: 1 }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { explainJson } = await import('../../base/json/json-error.js')
    const { offset, message, suggestion } = explainJson(text, 'file')
    const problem = {
      ...positionOf(raw, offset),
      message: `not JSON: ${message}`,
      ...(suggestion !== undefined && { suggestion }),
    }
    return { value: undefined, problems: [problem] }
  }
  const scan = scanJson(text)
  if (scan.deepest > MAX_DEPTH) {
    const message = `nesting limit: deeper than ${MAX_DEPTH} levels`
    return { value, problems: [{ line, column: 1, message }] }
  }
  const problems: Problem[] = (scan.badNumbers ?? []).map(({ offset, message }) => ({
    ...positionOf(raw, offset),
    message,
  }))
  if (countKeys(value) !== scan.colons) problems.push(...(await repeatedKeys(raw)))
  return { value, problems }
}

/** Keys that were written twice: JSON.parse silently keeps the last. */
export async function repeatedKeys(raw: { text: string; line: number; column: number }): Promise<Problem[]> {
  const { findRepeatedKeys } = await import('../../base/json/json-error.js')
  return findRepeatedKeys(raw.text).map(({ key, path, offset, first }) => {
    const before = positionOf(raw, first)
    const message = `duplicate key "${key}": also on line ${before.line}, column ${before.column}`
    return { ...positionOf(raw, offset), field: path, message }
  })
}
