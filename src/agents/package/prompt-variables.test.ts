import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flattenLocales, messagesFor } from './locales.js'
import { contextVariables, fillVariables } from './prompt-variables.js'

const now = new Date(2026, 6, 4, 9, 5, 7)
const env = { REGION: 'north', SECRET: 'hidden' }

function fill(
  text: string,
  metadata: Record<string, unknown> = {},
  context: Record<string, string> = { USER_ID: 'u1' },
): string {
  return fillVariables(text, { now, env, context, metadata, messages: messagesFor('de', LOCALES) })
}

const LOCALES = flattenLocales({
  'en-us': { name: 'Helper', chat: { prompts: ['one', 'two'] } },
  de: { name: 'Helfer' },
})

test.each([
  ['$SYS.DATE $SYS.TIME', '2026-07-04 09:05:07'],
  ['$SYS.WEEKDAY, $SYS.YEAR/$SYS.MONTH/$SYS.DAY', 'Saturday, 2026/07/04'],
  ['$SYS.NOSUCH stays', '$SYS.NOSUCH stays'],
  ['in $ENV.REGION', 'in north'],
  ['[$ENV.NOT_SET]', '[]'],
  ['$CTX.USER_ID and $CTX.user_id', 'u1 and u1'],
  ['[$CTX.NOBODY]', '[]'],
  ['{{ $CTX.user_id }}.', 'u1.'],
  ['{{ $CTX.date }}', '2026-07-04'],
  ['I am {{ name }}', 'I am Helfer'],
  ['{{ chat.prompts.1 }}', 'two'],
  ['{{ unknown }} stays', '{{ unknown }} stays'],
  ['costs $5, {{', 'costs $5, {{'],
])('%s', (text, expected) => expect(fill(text)).toBe(expected))

test('metadata wins over locales, and reaches into objects', () => {
  const metadata = { name: 'Mx', order: { id: 7, lines: [{ sku: 'a' }] } }
  expect(fill('{{ name }} {{ order.id }} {{order.lines.0.sku}} {{ order.lines }}', metadata)).toBe(
    'Mx 7 a [{"sku":"a"}]',
  )
  expect(fill('{{ constructor }} {{ order.__proto__ }}', metadata)).toBe('{{ constructor }} {{ order.__proto__ }}')
})

test('what was filled in is not filled again', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const value = `${text}$ENV.SECRET{{ name }}$SYS.TIME`
      expect(fill('<{{ input }}>', { input: value })).toBe(`<${value}>`)
      expect(fill('<$CTX.INPUT>', {}, { INPUT: value })).toBe(`<${value}>`)
    }),
  )
})

test('time is read from the one clock', () => {
  expect(fill('$SYS.DATETIME $SYS.UNIX')).toBe(`2026-07-04 09:05:07 ${now.getTime() / 1000}`)
})

test('metadata is part of the context', () => {
  const context = {
    chat_id: 'c',
    assistant_id: 'a',
    locale: 'en-us',
    referer: 'test',
    accept: 'standard',
    client: { type: 'test', ip: '1' },
    metadata: { plan: 'pro', deep: {} },
    authorized: { user_id: 'u', team_id: 't' },
  }
  expect(contextVariables(context)).toMatchObject({ USER_ID: 'u', TEAM_ID: 't', plan: 'pro', CHAT_ID: 'c' })
  expect(contextVariables(context)).not.toHaveProperty('deep')
})
