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
])('%j', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test.each(['Hello there', 'a - b', '1.5 euros', 'x_y', 'Where is #4711?', '2 * 3'])('%j is plain text', (text) => {
  expect(hasMarkdown(text)).toBe(false)
})

test.each(['# a', '- a', '1. a', '**a**', '`a`', '> a', '[a](b)', 'x\n| a | b |'])('%j has formatting', (text) => {
  expect(hasMarkdown(text)).toBe(true)
})

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
    '\n',
    'a',
    'b ',
    '1. ',
    '~~',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const letters = (from: string) => from.replaceAll(/[^ab]/g, '')
      // What follows an opening fence on its line names a language.
      fc.pre(!/(```|~~~)[^\n]*[ab]/.test(text))
      expect(
        letters(
          html(text)
            .replaceAll(/<\/?(?:[a-z]+[\d]?|table)>/g, '')
            .replaceAll(/<(?:link|image) ([^>]*)>/g, '$1'),
        ),
      ).toBe(letters(text.replaceAll(/\[([^\]\n]*)\]\(([^()\s]*)\)/g, '$2$1')))
    }),
    { numRuns: 2000 },
  )
})

test('hostile texts are parsed to the end', () => {
  for (const part of ['*', '**', '_a', '[', '![](', '`', '> ', '- ', '  - ', '~~a', '| ', '**a ', '[a](', '*a _b '])
    expect(parseMarkdown(part.repeat(40_000 / part.length))).not.toEqual([])
})
