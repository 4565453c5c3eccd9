import { expect, test } from 'vitest'
import type { AgentReply } from '../../model/agent.js'
import { requirePlain } from './plain-reply.js'

const nested = (levels: number): unknown => {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = [value]
  return value
}
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

test.each<[string, Partial<AgentReply>]>([
  ['text', { content: 'hello' }],
  ['silence', { content: null }],
  ['data', { content: { a: [1, { b: null }] } }],
  ['a tool call', { content: '', tool_calls: [{ name: 'pay', args: { cents: 5 } }] }],
  ['nothing in it', { content: { a: {}, b: [], c: new Date(0), d: Object.create(null) as unknown } }],
  ['many levels', { content: nested(900) }],
  ['what the SDK gave besides', { content: { a: 1 }, raw: { headers: new Map() } }],
])('%s is plain', (_, given) => {
  const reply: AgentReply = { content: null, tool_calls: [], ...given }
  expect(requirePlain(reply)).toBe(reply)
})

test.each<[string, Partial<AgentReply>, RegExp]>([
  ['a BigInt', { content: 5n }, /BigInt/],
  ['arguments with a BigInt', { tool_calls: [{ name: 'pay', args: { cents: 5n } }] }, /BigInt/],
  ['a cycle', { content: cyclic }, /contains itself/],
  ['a result with a cycle', { tool_calls: [{ name: 'x', args: {}, result: cyclic }] }, /contains itself/],
  ['a promise', { content: { text: Promise.resolve('x') } }, /a promise: is an "await" missing\?/],
  ['a result that is a Map', { tool_calls: [{ name: 'x', args: {}, result: new Map([[1, 2]]) }] }, /holds a Map/],
  ['a Response, as fetch gives it', { content: new Response('hello') }, /an instance of Response, which JSON/],
  ['an error inside', { content: { cause: new Error('x') } }, /an instance of Error/],
  ['bytes, as execFileSync gives them', { content: Buffer.from('x') }, /holds bytes \(Buffer\): decode them/],
  ['bytes inside', { content: { stdout: new Uint8Array([120]) } }, /holds bytes \(Uint8Array\)/],
  ['too many levels', { content: nested(100_000) }, /more than 1000 levels/],
  [
    'a toJSON that throws',
    {
      next: {
        toJSON: () => {
          throw new Error('not me')
        },
      },
    },
    /not me/,
  ],
])('%s is not', (_, given, why) => {
  expect(() => requirePlain({ content: null, tool_calls: [], ...given })).toThrow(why)
})
