// Where a connector's requests go: `options.host`, `options.proxy` as older files call it, or the vendor's own address,
// but only if the key is this vendor's.
import { UserError } from '../errors.js'
import { preview } from '../base/text.js'
import { signsIn, signsOfKey, signsOfVendor, type Sign } from './vendors.js'
import type { ConnectorFile } from './types.js'

/** The option that holds the address: `proxy` is an older name of `host`, not a proxy. */
export function hostOption(file: ConnectorFile): 'host' | 'proxy' {
  return file.options['host'] === undefined && file.options['proxy'] !== undefined ? 'proxy' : 'host'
}

/** As written; undefined: the vendor's own. */
export function readHost(file: ConnectorFile): URL | undefined {
  const { host, proxy } = file.options
  if (host !== undefined && proxy !== undefined && host !== proxy) throw twoHosts(file)
  const given = host ?? proxy
  if (given === undefined) return undefined
  // `localhost:8080` parses as an address of the scheme "localhost", which is never what was meant.
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UserError({
    code: 'BAD_HOST',
    message: `options.${hostOption(file)} of ${named(file)} is not a URL: ${typeof given === 'string' ? given : preview(given)}`,
    hint: 'write it with its scheme, e.g. https://api.example.com or http://localhost:8080/v1',
  })
}

export interface OwnHost {
  vendor: string
  /** What it is sent to, for the message. */
  host: string
  /** Others speak the same protocol: the file must say that it is this vendor. */
  isShared: boolean
}

/** Throws unless the vendor's own host may have the key. */
export function requireOwnHost(file: ConnectorFile, own: OwnHost): void {
  const signs = signsOfVendor(file)
  const other = signs.find(({ vendor }) => vendor !== own.vendor)
  if (other) throw otherVendor(file, other, own.host)
  if (own.isShared && signs.length === 0) throw unknownVendor(file, own)
}

/** A provider package knows its own host; its name says whose it is. */
export function requireHostOfPackage(file: ConnectorFile, name: string): void {
  const owners = signsIn(name, '').map(({ vendor }) => vendor)
  const other = signsOfKey(file).find(({ vendor }) => !owners.includes(vendor))
  if (owners.length > 0 && other) throw otherVendor(file, other, `the host of ${name}`)
}

function twoHosts(file: ConnectorFile): UserError {
  return new UserError({
    code: 'BAD_HOST',
    message: `${named(file)} has both options.host and options.proxy, with different addresses`,
    hint: 'options.proxy is an older name for options.host: keep one of them. To use a real proxy, set HTTPS_PROXY',
  })
}

function otherVendor(file: ConnectorFile, { vendor, sign }: Sign, host: string): UserError {
  return new UserError({
    code: 'NO_HOST',
    message: `${named(file)} has no options.host and is ${vendor}'s (${sign}): its key would be sent to ${host}`,
    hint: `add "host": "https://…" to options, the address of ${vendor}'s API`,
  })
}

function unknownVendor(file: ConnectorFile, { vendor, host }: OwnHost): UserError {
  return new UserError({
    code: 'NO_HOST',
    message: `${named(file)} has no options.host, and nothing in it says that its key is ${vendor}'s`,
    hint: `add "host": "https://…" to options; for ${vendor} itself: "host": "https://${host}"`,
  })
}

function named(file: ConnectorFile): string {
  return file.file ?? file.id
}
