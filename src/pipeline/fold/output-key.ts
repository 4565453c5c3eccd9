// When are two outputs the same? Equal JSON whatever the order of keys, equal text whatever the spacing.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../base/json/canonical-json.js'
import { parseJson } from '../../base/json/parse-json.js'

/** The same text for outputs that count as the same. */
function normaliseOutput(output: unknown): string {
  if (typeof output !== 'string') return canonicalJson(output)
  const text = output.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (!text.startsWith('{') && !text.startsWith('[')) return text
  const json = parseJson(output)
  return json ? canonicalJson(json.value) : text
}

/** Sixteen hexadecimal digits, so that a run of any size is compared in little memory. */
export function outputKey(output: unknown): string {
  // Not a slice of the whole digest, which would keep all of it alive.
  return createHash('sha256').update(normaliseOutput(output)).digest().toString('hex', 0, 8)
}
