// A name for what is called by something with a secret in it, such as the id of a case.
import { hash } from 'node:crypto'
import type { Redactor } from './redactor.js'

/** Two that differ in nothing but their secrets have two names; from none of them can a secret be told. */
export function hiddenName(name: string, secrets: Redactor): string {
  const hidden = secrets.text(name)
  return hidden === name ? name : `${hidden} ${hash('sha256', name).slice(0, 8)}`
}
