// A comparison as JSON: the data itself.
import type { Comparison } from '../compare/types.js'

export function compareJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`
}
