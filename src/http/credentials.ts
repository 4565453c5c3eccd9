// `http://user:password@host`: sent as a header, and shown nowhere.
import { decodeUri } from '../base/text.js'

export interface Credentials {
  /** The value of the header. */
  authorization: string
  /** Every spelling that must not be shown. */
  secrets: string[]
}

/** Takes them out of the URL itself. */
export function takeCredentials(url: URL): Credentials | undefined {
  const { username, password } = url
  if (username === '' && password === '') return undefined
  url.username = ''
  url.password = ''
  const pair = `${decodeUri(username)}:${decodeUri(password)}`
  const token = Buffer.from(pair).toString('base64')
  // Some services take a key as the user, without a password.
  const key = password === '' ? username : password
  return {
    authorization: `Basic ${token}`,
    secrets: [...new Set([`${username}:${password}`, pair, key, decodeUri(key), token])],
  }
}

/** From a target as written, whatever it is. */
export function credentialSecrets(target: string): string[] {
  const address = target.replace(/^(?:a2a|agents|mcp):/, '')
  if (!address.includes('@') || !URL.canParse(address)) return []
  return takeCredentials(new URL(address))?.secrets ?? []
}
