// Talks to the viewer's server. The key comes in the address's fragment, is removed from it immediately, and travels only
// in a header; it is kept for this tab, so that a reload still works.

const KEY = 'viva-key'

export function takeKey(): void {
  const match = /^#key=([\w-]+)$/.exec(location.hash)
  if (!match?.[1]) return
  sessionStorage.setItem(KEY, match[1])
  history.replaceState(history.state, '', location.pathname)
}

export class Refused extends Error {}

export async function ask(path: string, query: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ''}` },
    cache: 'no-store',
    ...(signal ? { signal } : {}),
  })
  if (response.status === 401 || response.status === 403) throw new Refused()
  if (!response.ok) throw new Error(`the viewer's server answered ${response.status}`)
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
