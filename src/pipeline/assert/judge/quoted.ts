// Does a verdict stand in what was examined? Then the judge may only have quoted it.
import { isEqual } from '../../../base/equal.js'
import { findAllJson } from '../../../base/json/find-json.js'
import { isRecord } from '../../../base/record.js'
import { asText } from '../../../base/text.js'

export function standsIn(examined: readonly unknown[], verdict: Record<string, unknown>): boolean {
  const left: unknown[] = examined.map(asText)
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') push(left, findAllJson(value, { pastCuts: true }))
    else if (Array.isArray(value)) push(left, value)
    else if (isRecord(value)) {
      if (isEqual(value, verdict)) return true
      push(left, Object.values(value))
    }
  }
  return false
}

function push(left: unknown[], values: unknown[]): void {
  for (const value of values) left.push(value)
}
