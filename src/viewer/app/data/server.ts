// Talks to the viewer's server. The key comes in the address's fragment, is removed from it immediately, and travels only
// in a header. It is kept for this tab and, once the server has accepted it, for the others of this origin, which is this
// server alone: a cookie would be sent to every other port of the machine.

const KEY = 'viva-key'

/** `#key=…`, and after an `&` what is to be shown. True if there was one. */
export function takeKey(): boolean {
  const [, key, rest = ''] = /^#key=([\w-]+)(?:&(.*))?$/s.exec(location.hash) ?? []
  if (key === undefined) return false
  sessionStorage.setItem(KEY, key)
  history.replaceState(history.state, '', location.pathname + (rest && `#${rest}`))
  return true
}

/** What is shown, for another browser on this machine. From other machines only people who were given the key may look. */
export function linkWithKey(): string {
  const key = localStorage.getItem(KEY)
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname)
  if (key === null || !isLoopback) return location.href
  return `${location.origin}${location.pathname}#key=${key}${location.hash.replace('#', '&')}`
}

/** A key, or an address that has one. False if there is none in it. */
export function giveKey(text: string): boolean {
  const [, key] = /(?:^|[#&]key=)([\w-]{16,})(?:&|$)/.exec(text.trim()) ?? []
  if (key === undefined) return false
  sessionStorage.setItem(KEY, key)
  return true
}

export class Refused extends Error {}

export async function ask(path: string, query: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  return send(`${path}?${new URLSearchParams(query)}`, signal ? { signal } : {})
}

/** Asks the server to do something; its answer, or why not. */
export async function act<T extends object>(path: string, body: object): Promise<T | { error: string }> {
  const response = await send(path, { method: 'POST', body: JSON.stringify(body) }, [400, 409, 422])
  return (await response.json()) as T | { error: string }
}

/** `told`: answers that say in words what is wrong. */
async function send(address: string, init: RequestInit, told: number[] = []): Promise<Response> {
  const key = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? ''
  const headers = { authorization: `Bearer ${key}`, ...(init.body && { 'content-type': 'application/json' }) }
  const response = await fetch(address, { ...init, headers, cache: 'no-store' })
  if (response.status === 401 || response.status === 403) {
    sessionStorage.removeItem(KEY)
    throw new Refused(`the viewer's server answered ${response.status}`)
  }
  localStorage.setItem(KEY, key)
  if (!response.ok && !told.includes(response.status))
    throw new Error(`the viewer's server answered ${response.status}`)
  return response
}

/** The messages of a stream, one by one; ends when the server closes it. */
export async function* messages<T>(
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  for await (const part of pieces(await ask(path, query, signal), '\n\n'))
    if (part.startsWith('data: ')) yield JSON.parse(part.slice(6)) as T
}

/** The parts of an answer between separators, without holding all of it. */
export async function* pieces(response: Response, separator: string): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const parts = (rest + value).split(separator)
    rest = parts.pop() ?? ''
    yield* parts
  }
  if (rest) yield rest
}
