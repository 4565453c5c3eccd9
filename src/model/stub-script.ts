// A tool that a test replaces with a script.
import { isRecord } from '../base/record.js'

/** `{"script": "scripts.tools.Fake"}`, or the reference alone. */
export function stubScript(value: unknown): string | undefined {
  if (typeof value === 'string') return /^scripts[.:][\w.-]+$/.test(value) ? value : undefined
  const script = isRecord(value) && Object.keys(value).length === 1 ? value['script'] : undefined
  return typeof script === 'string' ? script : undefined
}
