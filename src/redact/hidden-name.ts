// A stand-in for a name that contains a secret, such as the id of a case.
import { hash } from 'node:crypto'
import type { Redactor } from './redactor.js'

/** Two names that differ only in their secrets get two stand-ins; no secret can be recovered from them. */
export function hiddenName(name: string, secrets: Redactor): string {
  const hidden = secrets.text(name)
  return hidden === name ? name : `${hidden} ${hash('sha256', name).slice(0, 8)}`
}
