// Does a verdict appear in what was examined? Then the judge may merely have quoted it.
import { isEqual } from '../../../base/equal.js'
import { findAllJson } from '../../../base/json/find-json.js'
import { isRecord } from '../../../base/record.js'
import { asText } from '../../../base/text.js'

export function standsIn(examined: readonly unknown[], verdict: Record<string, unknown>): boolean {
  // What was quoted in JSON text has its quotation marks escaped.
  const left: unknown[] = examined.map(asText).flatMap((text) => [text, text.replaceAll('\\"', '"')])
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') push(left, findAllJson(value, { pastCuts: true }))
    else if (Array.isArray(value)) push(left, value)
    else if (isRecord(value)) {
      if (holds(value, verdict)) return true
      push(left, Object.values(value))
    }
  }
  return false
}

/** A quotation may be shortened: what the judge adds, such as its own reason, cannot be quoted. */
function holds(value: Record<string, unknown>, verdict: Record<string, unknown>): boolean {
  return Object.entries(verdict).every(([name, item]) => Object.hasOwn(value, name) && isEqual(value[name], item))
}

function push(left: unknown[], values: unknown[]): void {
  for (const value of values) left.push(value)
}
