// Whatever the text, Markdown made from it contains no link, no image, no element and no extra cell.
import * as fc from 'fast-check'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { anyText } from '../../../test/support/any-text.js'
import { table } from './markdown-table.js'
import { cell, fenced, inline } from './markdown-text.js'

const tricky = fc.oneof(
  fc.string(),
  anyText(),
  fc
    .array(
      fc.constantFrom(
        '`',
        '|',
        '[',
        ']',
        '(',
        ')',
        '!',
        '<',
        '>',
        '*',
        '_',
        '#',
        '-',
        '+',
        '1.',
        '\n',
        '\\',
        ' ',
        'a',
        'https://x.y',
        'www.x.y',
        'a@b.cd',
        '&lt;',
        '~',
        ':',
        '\t',
      ),
    )
    .map((parts) => parts.join('')),
)
const tags = (html: string) =>
  [...new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map((match) => match[1] ?? ''))].toSorted((a, b) =>
    a.localeCompare(b),
  )
const parse = (text: string) => marked.parse(text, { gfm: true, async: false })

test.each(['T001', '关键词 🙂', 'snake_case_id', '12.3s', 'output does not contain "x"', 'Über naïve, (really)?'])(
  '%s stays as it is',
  (text) => {
    expect(inline(text)).toBe(text)
  },
)

test.each([
  'a|b',
  '[x](y)',
  '![x](y)',
  '<b>',
  '_x_',
  '*x*',
  'https://x.y',
  'www.x.y',
  '@all',
  '# x',
  '- x',
  '1. x',
  '`x`',
  '~x~',
  '#12',
])('%s becomes code', (text) => {
  expect(inline(text)).toMatch(/^`+ ?.* ?`+$/)
})

test('a heading made of anything is a heading with text or code', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      for (const tag of tags(parse(`### x ${inline(text)}\n`))) expect(['code', 'h3']).toContain(tag)
    }),
  )
})

test('a list item made of anything is one item', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      const html = parse(`- ${inline(text)}\n`)
      for (const tag of tags(html)) expect(['code', 'li', 'ul']).toContain(tag)
      expect(html.match(/<li>/g)).toHaveLength(1)
    }),
  )
})

test('a table made of anything keeps its columns', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(tricky, tricky), { minLength: 1, maxLength: 4 }), (rows) => {
      const html = parse(
        table(
          ['A', 'B'],
          rows.map(([a, b]) => [cell(a), cell(b)]),
        ),
      )
      const found = [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
      expect(found).toHaveLength(rows.length + 1)
      for (const [row] of found) expect(row.match(/<t[dh]>/g)).toHaveLength(2)
      for (const tag of tags(html)) expect(['code', 'table', 'tbody', 'td', 'th', 'thead', 'tr']).toContain(tag)
    }),
  )
})

test('a fence cannot be closed from inside', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      expect(tags(parse(fenced(text)))).toEqual(['code', 'pre'])
    }),
  )
})
