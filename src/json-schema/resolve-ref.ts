// What a reference in a JSON Schema leads to, inside the document.
import { isRecord } from '../base/record.js'

/** `#/$defs/Address`; undefined if it leads nowhere, or into another document. */
export function resolveRef(ref: string, root: Record<string, unknown>): unknown {
  if (!ref.startsWith('#')) return undefined
  let value: unknown = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
