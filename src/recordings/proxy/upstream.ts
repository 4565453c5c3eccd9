// The providers whose wire format agents speak: which variables name their address, and where a call ends up.
import { UserError } from '../../errors.js'

export const PROVIDERS = ['openai', 'anthropic', 'google'] as const

export type Provider = (typeof PROVIDERS)[number]

/** Addresses that have been set; otherwise the provider's own. */
export type Upstreams = Partial<Record<Provider, URL>>

interface ProviderFacts {
  /** The variable that SDKs read their base URL from. */
  variable: string
  /** The variable for the key, without which they do not start. */
  key: string
  /** What follows our own address, as SDKs expect it. */
  suffix: string
  address: string
}

export const FACTS: Record<Provider, ProviderFacts> = {
  openai: { variable: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY', suffix: '/v1', address: 'https://api.openai.com/v1' },
  anthropic: {
    variable: 'ANTHROPIC_BASE_URL',
    key: 'ANTHROPIC_API_KEY',
    suffix: '',
    address: 'https://api.anthropic.com/v1',
  },
  google: {
    variable: 'GOOGLE_GEMINI_BASE_URL',
    key: 'GEMINI_API_KEY',
    suffix: '',
    // Its clients always name the version.
    address: 'https://generativelanguage.googleapis.com',
  },
}

/** What the client would have called. `path`: what it appended to our address, with its query. */
export function targetOf(provider: Provider, path: string, upstreams: Upstreams): URL {
  const { suffix, address } = FACTS[provider]
  const own = upstreams[provider]
  // Clients of one provider do not agree on whether the version is part of its address; ours may end in it.
  const base = own?.href ?? address
  const rest = (own && suffix === '') || !address.endsWith('/v1') ? path : wirePath(path)
  return new URL(base.replace(/\/+$/, '') + rest)
}

/** The path of a call, whether or not the client has put the version in front of it. */
export function wirePath(path: string): string {
  return path.replace(/^\/v1(?=[/?]|$)/, '')
}

export function isProvider(name: string | undefined): name is Provider {
  return PROVIDERS.some((known) => known === name)
}

/** Without a key the SDKs do not start; a real one is not given to a program that needs none. */
export function keysFor(env: Record<string, string | undefined>, isLive: boolean): Record<string, string> {
  const names = PROVIDERS.map((name) => FACTS[name].key).filter((key) => !isLive || !env[key])
  return Object.fromEntries(names.map((key) => [key, 'replayed']))
}

export function upstreamsOf(env: Record<string, string | undefined>): Upstreams {
  const set = PROVIDERS.flatMap((name) => {
    const { variable } = FACTS[name]
    const address = env[variable]
    if (address === undefined || address === '') return []
    const isHttp = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
    if (isHttp) return [[name, new URL(address)] as const]
    throw new UserError({
      code: 'BAD_ADDRESS',
      subject: { field: variable },
      message: `expected the base URL of a provider, found ${JSON.stringify(address)}`,
      hint: `give one that begins with http:// or https://, or leave it out for ${FACTS[name].address}`,
    })
  })
  return Object.fromEntries(set)
}
