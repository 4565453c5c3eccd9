// A path that leads nowhere: because nothing is there this time, or because it is misspelt?
import { pathSegments } from '../../base/json/json-path.js'
import { isRecord } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { reportsCalls } from '../reply/tool-evidence.js'

/** Why it must be misspelt, judging by what is there; undefined if that cannot be said. */
export function misspelt(document: unknown, path: string): string | undefined {
  const segments = pathSegments(path) ?? []
  let at = '$'
  let value = document
  for (const [index, segment] of segments.entries()) {
    const near = typeof segment === 'string' && isRecord(value) ? suggest(segment, Object.keys(value)) : undefined
    const step: unknown = stepInto(value, segment)
    if (step === undefined && near !== undefined) return `${at} has "${near}" instead of "${segment}"`
    if (step === undefined && index < segments.length - 1) return `there is no "${segment}" in ${at}`
    if (step === undefined) break
    at += typeof segment === 'number' ? `[${segment}]` : `.${segment}`
    value = step
  }
  return reportsCalls(document) ? 'it has tool_calls elsewhere' : undefined
}

function stepInto(value: unknown, segment: string | number): unknown {
  if (Array.isArray(value)) return value.at(Number(segment))
  return isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
}
