// `http.Get(url, query?, headers?)` and its siblings, synchronous: the host makes the request. Mocks answer first.
import { ask, callMock, findMock } from './sync-call.js'

type Call = (...args: unknown[]) => unknown

/** Positions of payload, query, headers and files among the arguments after the URL. */
const SHAPES: Record<string, string[]> = {
  Get: ['query', 'headers'],
  Head: ['payload', 'query', 'headers'],
  Post: ['payload', 'files', 'query', 'headers'],
  Put: ['payload', 'query', 'headers'],
  Patch: ['payload', 'query', 'headers'],
  Delete: ['payload', 'query', 'headers'],
}

export const http: Record<string, Call> = {}

for (const [name, shape] of Object.entries(SHAPES)) {
  define(name, (url, ...rest) => perform(name.toUpperCase(), url, shape, rest))
}
define('Send', (method, url, ...rest) =>
  perform(String(method).toUpperCase(), url, ['payload', 'query', 'headers', 'files'], rest),
)

function define(name: string, call: Call): void {
  const mockable: Call = (...args) => {
    const own = findMock(`http.${name}`)
    if (own !== undefined) return callMock(`http.${name}`, own, args)
    const any = findMock('http')
    if (any === undefined) return call(...args)
    return callMock('http', any, name === 'Send' ? args : [name.toUpperCase(), ...args])
  }
  http[name] = mockable
  http[name.toLowerCase()] = mockable
}

function perform(method: string, url: unknown, shape: string[], rest: unknown[]): unknown {
  if (typeof url !== 'string') throw new TypeError(`http.${method} needs a URL, got ${typeof url}`)
  const request: Record<string, unknown> = { method, url }
  shape.forEach((key, index) => {
    if (rest[index] !== undefined && rest[index] !== null) request[key] = rest[index]
  })
  return ask('http', [request])
}
