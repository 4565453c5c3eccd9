// A comparison as JSON: the data itself.
import { prettyJson } from '../../../base/json/pretty-json.js'
import type { Comparison } from '../compare/types.js'

export function compareJson(comparison: Comparison): string {
  return prettyJson(comparison)
}
