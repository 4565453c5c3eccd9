import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentContext } from '../../model/agent.js'
import type { CallMessage } from './protocol.js'
import { ContextReader, ContextWriter } from './same-context.js'

const value = fc.oneof(fc.constantFrom('a', 'b', 1, null, true), fc.constant({ deep: 'a' }), fc.constant(['a']))
const part = fc.dictionary(fc.constantFrom('user_id', 'type', 'ip', 'metadata', 'chat_id', '__proto__'), value)
const context = fc.record(
  {
    chat_id: fc.string(),
    metadata: part,
    client: part,
    authorized: part,
    locale: fc.constantFrom('de', 'en'),
    theme: value,
    workspace: fc.constantFrom('/a', '/b'),
  },
  { requiredKeys: ['chat_id', 'client', 'authorized'] },
) as fc.Arbitrary<object> as fc.Arbitrary<AgentContext>

/** As it comes out of the channel. */
const throughJson = <T>(data: T): T => JSON.parse(JSON.stringify(data)) as T

test('every call gets its own context, whatever came before it and whatever agents do with theirs', () => {
  let short = 0
  fc.assert(
    fc.property(fc.array(context, { minLength: 2, maxLength: 6 }), (contexts) => {
      const [writer, reader] = [new ContextWriter(), new ContextReader()]
      // Most calls of a run look alike.
      const runs = [1, 2, 3]
      for (const each of contexts.flatMap((given) =>
        runs.map((run) => ({ ...given, chat_id: `${given.chat_id}${run}` })),
      )) {
        const message: Partial<CallMessage> = {}
        writer.addTo(message, each)
        if (message.own) short++
        const got = reader.read(throughJson(message))
        expect(JSON.stringify(got)).toBe(JSON.stringify(each))
        spoil(got)
      }
    }),
    { numRuns: 200 },
  )
  expect(short).toBeGreaterThan(0)
})

function spoil(given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  for (const inner of Object.values(given)) spoil(inner)
  for (const key of Object.keys(given)) delete (given as Record<string, unknown>)[key]
  Object.assign(given, { locale: 'spoilt', user_id: 'spoilt' })
}
