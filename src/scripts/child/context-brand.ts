// Which objects are live `ctx` objects: they cross to other processes as data, and are live there again.

import { weakSetHas } from './primordials.js'

const contexts = new WeakSet<object>()

export function brandContext(value: object): void {
  contexts.add(value)
}

export function isContext(value: unknown): boolean {
  return typeof value === 'object' && value !== null && weakSetHas(contexts, value)
}
