import { expect, test } from 'vitest'
import type { AgentContext } from '../../model/agent.js'
import { adjustContext, parseCreate, parseNext } from './hooks.js'

const context = { locale: 'en-us', theme: 'light', metadata: { kept: 1, replaced: 1 } } as unknown as AgentContext

test('Create: what is read, what counts as not said', () => {
  expect(parseCreate(null)).toBeNull()
  expect(parseCreate(undefined)).toBeNull()
  expect(parseCreate({ messages: [], connector: '', locale: '', other: 1 })).toEqual({ model: {} })
  expect(
    parseCreate({
      messages: [{ role: 'user', content: 'x' }],
      temperature: 0,
      max_tokens: 5,
      connector: 'c',
      prompt_preset: 'p',
      disable_global_prompts: false,
      mcp_servers: ['a', { server_id: 'b', tools: ['t'] }],
      metadata: { a: 1 },
      locale: 'de',
      delegate: { agent_id: 'x', options: { mode: 'm' } },
    }),
  ).toEqual({
    messages: [{ role: 'user', content: 'x' }],
    model: { temperature: 0, max_tokens: 5 },
    connector: 'c',
    prompt_preset: 'p',
    disable_global_prompts: false,
    mcp_servers: [{ server_id: 'a' }, { server_id: 'b', tools: ['t'] }],
    metadata: { a: 1 },
    locale: 'de',
    delegate: { agent_id: 'x', options: { mode: 'm' } },
  })
})

test.each([
  ['a text', 'the Create hook returned "a text"; expected an object or null'],
  [[1], 'the Create hook returned a list; expected an object or null'],
  [{ messages: 'hi' }, 'the Create hook returned messages that are not a list of {role, content}: "hi"'],
  [{ messages: [{}] }, 'the Create hook returned messages that are not a list'],
  [{ delegate: {} }, 'the Create hook returned a delegate without agent_id'],
  [{ temprature: 0 }, 'the Create hook returned "temprature" – did you mean "temperature"?'],
  [{ mcp_servers: [7] }, 'the Create hook returned an entry of mcp_servers that is 7'],
])('Create returning %j is told', (returned, message) => {
  expect(() => parseCreate(returned)).toThrow(message)
})

test('Next: data may be any value but null', () => {
  expect(parseNext(undefined)).toBeNull()
  expect(parseNext({})).toEqual({})
  expect(parseNext({ data: 0, metadata: { m: 1 } })).toEqual({ data: 0, metadata: { m: 1 } })
  expect(parseNext({ data: null })).toEqual({})
  expect(parseNext({ delegate: { agent_id: 'b', messages: [] } })).toEqual({
    delegate: { agent_id: 'b', messages: [] },
  })
  expect(parseNext({ data: 1, trace: 'x' })).toEqual({ data: 1 })
  expect(() => parseNext({ dta: 1 })).toThrow('the Next hook returned "dta" – did you mean "data"?')
  expect(() => parseNext({ error: 'boom' })).toThrow('returned error, but no data, delegate or metadata')
  expect(() => parseNext('done')).toThrow('the Next hook returned "done"')
})

test('the context takes what Create returns and keeps the rest', () => {
  const create = parseCreate({ locale: 'de', theme: '', metadata: { replaced: 2, added: 3 } })
  expect(adjustContext(context, create)).toMatchObject({
    locale: 'de',
    theme: 'light',
    metadata: { kept: 1, replaced: 2, added: 3 },
  })
  expect(adjustContext(context, null)).toBe(context)
})
