// The id of a run: when it began, and what distinguishes it from others of that moment. Recordings recognise it by its form.
import { randomBytes } from 'node:crypto'
import { epochNow } from './iso-now.js'

export function newRunId(): string {
  return `run-${epochNow().toString(36)}-${randomBytes(4).toString('hex')}`
}
