import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasMarkdown, parseMarkdown, type Block, type Inline } from './markdown.js'

/** As HTML, only to read the tests by. */
const html = (text: string) => parseMarkdown(text).map(block).join('')

function block(item: Block): string {
  switch (item.kind) {
    case 'heading':
      return `<h${item.level}>${inline(item.text)}</h${item.level}>`
    case 'paragraph':
      return `<p>${inline(item.text)}</p>`
    case 'code':
      return `<pre>${item.text}</pre>`
    case 'quote':
      return `<q>${item.blocks.map(block).join('')}</q>`
    case 'list': {
      const tag = item.ordered ? `ol${item.start}` : 'ul'
      return `<${tag}>${item.items.map((one) => `<li>${one.map(block).join('')}</li>`).join('')}</${tag}>`
    }
    case 'table':
      return `<table>${item.rows.map((row) => row.map(inline).join('|')).join('/')}</table>`
    case 'rule':
      return '<hr>'
  }
}

function inline(parts: Inline[]): string {
  return parts
    .map((part) => {
      if ('inside' in part) return `<${part.kind}>${inline(part.inside)}</${part.kind}>`
      if ('target' in part) return `<${part.kind} ${part.target}>${part.text}</${part.kind}>`
      return part.kind === 'code' ? `<code>${part.text}</code>` : part.text
    })
    .join('')
}

test.each([
  ['# One\ntext', '<h1>One</h1><p>text</p>'],
  ['a\nb\n\nc', '<p>a\nb</p><p>c</p>'],
  ['- a\n- b\n  - c\n- d', '<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul>'],
  ['3. a\n4. b', '<ol3><li><p>a</p></li><li><p>b</p></li></ol3>'],
  ['- a\n\n- b\n\nend', '<ul><li><p>a</p></li><li><p>b</p></li></ul><p>end</p>'],
  ['- a\n1. b', '<ul><li><p>a</p></li></ul><ol1><li><p>b</p></li></ol1>'],
  ['```js\n# not a heading\n```\nafter', '<pre># not a heading</pre><p>after</p>'],
  ['```\nnever closed', '<pre>never closed</pre>'],
  ['> a\n> - b', '<q><p>a</p><ul><li><p>b</p></li></ul></q>'],
  ['| a | b |\n|---|:-:|\n| 1 | **2** |', '<table>a|b/1|<bold>2</bold></table>'],
  ['---', '<hr>'],
  ['**a *b* c** `x*y*` ~~z~~', '<p><bold>a <italic>b</italic> c</bold> <code>x*y*</code> <struck>z</struck></p>'],
  ['[a](http://x/y) ![b](z.png)', '<p><link http://x/y>a</link> <image z.png>b</image></p>'],
  ['snake_case_name 2*3*4 a * b * c **', '<p>snake_case_name 2*3*4 a * b * c **</p>'],
  ['<b>x</b> &amp;', '<p><b>x</b> &amp;</p>'],
  ['<div>\n**x**\n</div>', '<p><div>\n<bold>x</bold></p><p></div></p>'],
  ['[a][b] \\*c\\*\n\n[b]: http://x', '<p>[a][b] \\*c\\*</p><p>[b]: http://x</p>'],
  ['| a |\n|---|\n| 1 | 2 |', '<p>| a |\n|---|\n| 1 | 2 |</p>'],
  ['- [x] a', '<ul><li><p>[x] a</p></li></ul>'],
])('%j', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test.each([
  'Hello there',
  'a - b',
  '1.5 euros',
  'x_y',
  'Where is #4711?',
  '2 * 3',
  'a | b',
  'C:\\_a\\*',
  'see https://x.y/z',
  '<b>a</b>',
])('%j is plain text', (text) => {
  expect(hasMarkdown(text)).toBe(false)
})

test.each(['# a', '- a', '1. a', '**a**', '`a`', '> a', '[a](b)', '| a | b |\n|---|---|'])(
  '%j has formatting',
  (text) => {
    expect(hasMarkdown(text)).toBe(true)
  },
)

test('no letter is lost, whatever the text', () => {
  const piece = fc.constantFrom(
    '*',
    '**',
    '_',
    '`',
    '```',
    '[',
    '](',
    ')',
    '#',
    '# ',
    '- ',
    '  ',
    '> ',
    '|',
    '|-|',
    '|-|\n',
    '|A|B|\n',
    '<A>',
    '<!-- B -->',
    '[B]: A\n',
    '\\',
    '    ',
    '\t',
    '=',
    '&',
    'www.A.B',
    '\n',
    'A',
    'B ',
    '1. ',
    '~~',
  )
  const shown = (value: unknown): string =>
    typeof value === 'string'
      ? value
      : Object.values(value ?? {})
          .map(shown)
          .join('')
  const letters = (from: string) => from.replaceAll(/[^AB]/g, '').split('').toSorted().join('')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      // What follows an opening fence on its line names a language.
      fc.pre(!/(```|~~~)[^\n]*[AB]/.test(text))
      expect(letters(shown(parseMarkdown(text)))).toBe(letters(text))
    }),
    { numRuns: 3000 },
  )
})

test('hostile texts are parsed to the end, and not deeply nested', () => {
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  const parts = [
    '*',
    '**',
    '_a',
    '[',
    '![](',
    '`',
    '> ',
    '- ',
    '  - ',
    '~~a',
    '| ',
    '**a ',
    '[a](',
    '*a _b ',
    '!',
    '1. ',
  ]
  for (const part of [...parts, '>- ', '***a ', '<a ', '\\', '\n\n=', '- a\n', '*a **b ']) {
    for (const times of [100, 40_000 / part.length]) {
      const blocks = parseMarkdown(part.repeat(times))
      expect(blocks).not.toEqual([])
      expect(depth(blocks)).toBeLessThan(60)
    }
  }
})
