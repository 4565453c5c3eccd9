// Text that is JSON with a structure.
import { parseJson } from '../../base/json/parse-json.js'

/** A bare number or `true` is more likely an answer in words. */
export function parseStructure(text: string): { value: unknown } | undefined {
  const trimmed = text.trim()
  return /^[{["]/.test(trimmed) ? parseJson(trimmed) : undefined
}
