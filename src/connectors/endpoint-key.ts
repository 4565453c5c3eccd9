// The key of an endpoint: where it is given, and that there is only one.
import { UserError } from '../errors.js'
import type { AgentEntry } from '../model/config.js'

/** Where the key is given, or could be. */
export function keySourceOf({ key, headers }: AgentEntry, written: string | undefined): string {
  if (written === undefined) return '--key-env'
  return `the ${key === undefined && headers !== undefined ? 'headers' : 'key'} of ${written}`
}

export function twoKeys(place: string): UserError {
  return new UserError({
    code: 'TWO_KEYS',
    message: `the URL has a user or password, and ${place} a key as well`,
    hint: 'give one of them',
  })
}
