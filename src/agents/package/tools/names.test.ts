import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flattenLocales, messagesFor, translate } from '../locales.js'
import { processArgs } from './process-args.js'
import { formatToolName, parseToolName } from './tool-names.js'
import { parseToolContent, toolText } from '../../../mcp-client/tool-result.js'
import { parseServerRef } from './tool-server.js'

test('a tool’s name is read back as it was written', () => {
  const part = fc.stringMatching(/^[a-z0-9-]{1,8}$/)
  const server = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
  const tool = fc.stringMatching(/^[a-z0-9-]{1,8}(?:_[a-z0-9-]{1,8}){0,2}$/)
  fc.assert(
    fc.property(server, tool, (id, name) => {
      expect(parseToolName(formatToolName(id, name))).toEqual({ server: id, tool: name })
    }),
  )
})

test.each(['', 'plain', 'a_b', '__', 'a__', '__b', 'a__b__c'])('%j is not the name of a server’s tool', (name) =>
  expect(parseToolName(name)).toBeUndefined(),
)

test.each<[unknown, unknown]>([
  ['s', { server_id: 's' }],
  [
    { server_id: 's', tools: ['a'], resources: ['r'] },
    { server_id: 's', tools: ['a'], resources: ['r'] },
  ],
  [{ s: ['a', 'b'] }, { server_id: 's', tools: ['a', 'b'] }],
  [{ s: { resources: ['r'] } }, { server_id: 's', resources: ['r'] }],
  ['', undefined],
  [{ a: [], b: [] }, undefined],
  [{ s: 7 }, undefined],
  [null, undefined],
])('a server may be given as %j', (given, expected) => expect(parseServerRef(given)).toEqual(expected))

test('arguments are mapped by place', () => {
  const args = { user: { email: 'x' }, n: 1 }
  expect(processArgs([], args)).toEqual([args])
  expect(processArgs([':arguments', '$args.user.email', '$n', 'fixed', '$args.none.x', 7], args)).toEqual([
    args,
    'x',
    1,
    'fixed',
    null,
    7,
  ])
  expect(processArgs(['$args.constructor'], args)).toEqual([null])
  // A field of something that has none is a mistake, not an argument that was left out.
  for (const given of [{ user: 'ann' }, { user: null }, { user: ['ann'] }])
    expect(() => processArgs(['$user.email'], given)).toThrow(
      'x-process-args asks for user.email, but user is no object',
    )
})

test('content of a tool becomes one value', () => {
  const image = { type: 'image', data: 'AA', mimeType: 'image/png' }
  expect(parseToolContent([{ type: 'text', text: '{"a":1}' }])).toEqual({ a: 1 })
  expect(
    parseToolContent([{ type: 'text', text: 'pong' }, image, { type: 'resource', resource: { uri: 'u' } }]),
  ).toEqual(['pong', image, { uri: 'u' }])
  expect(parseToolContent([])).toBeNull()
  expect(toolText({ a: 1 })).toBe('{"a":1}')
  expect(toolText('plain')).toBe('plain')
  expect(toolText(null)).toBe('')
})

test('messages: keys, expressions, nested keys, the default language as fallback', () => {
  const locales = flattenLocales({
    'en-us': { hello: 'Hello', chat: { title: 'Chat', prompts: ['one'] } },
    'zh-cn': { hello: '你好' },
  })
  expect([...locales.keys()]).toEqual(['en-us', 'zh-cn', 'en', 'us', 'zh', 'cn'])
  const chinese = messagesFor('ZH-CN', locales)
  expect(translate('hello', chinese)).toBe('你好')
  expect(translate('{{ chat.title }}: {{chat.prompts.0}} {{ none }}', chinese)).toBe('Chat: one {{ none }}')
  expect(translate('{{ hello }}', messagesFor('zh-tw', locales))).toBe('你好')
})
