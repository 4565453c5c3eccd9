// A shared key seals everything that workers and coordinator tell each other: someone who can write to Redis but does not
// know the key can neither have anything run nor report a verdict.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { UserError } from '../errors.js'

export interface Seal {
  /** `about` says what the text is for: a sealed text means nothing anywhere else. */
  close(about: string, text: string): string
  /** Undefined: not sealed with our key, or for something else. */
  open(about: string, sealed: string): string | undefined
  /** A name that reveals to others nothing about what it names. */
  nameOf(text: string): string
}

const SHORTEST_KEY = 16
const MAC_LENGTH = 44

export function createSeal(env: NodeJS.ProcessEnv): Seal {
  const key = requireKey(env['VIVA_QUEUE_KEY'])
  const macOf = (about: string, text: string): Buffer =>
    createHmac('sha256', key).update(`viva\0${about}\0`).update(text).digest()
  return {
    close: (about, text) => macOf(about, text).toString('base64') + text,
    open: (about, sealed) => {
      const given = Buffer.from(sealed.slice(0, MAC_LENGTH), 'base64')
      const text = sealed.slice(MAC_LENGTH)
      const expected = macOf(about, text)
      return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined
    },
    nameOf: (text) => macOf('name', text).toString('hex').slice(0, 32),
  }
}

function requireKey(key: string | undefined): string {
  if (key !== undefined && key.length >= SHORTEST_KEY) return key
  throw new UserError({
    code: 'NO_QUEUE_KEY',
    message:
      key === undefined || key === ''
        ? 'a fleet needs a shared key: VIVA_QUEUE_KEY is not set'
        : `VIVA_QUEUE_KEY is too short: ${key.length} characters, at least ${SHORTEST_KEY} are needed`,
    hint: 'set the same random text for viva test and every viva worker, for example from: openssl rand -hex 32',
  })
}
