import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embedJson, escapeHtml } from './embed.js'

test('nothing in embedded JSON can end its element', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('</script>', '<!--', ']]>', '\u2028', '&lt;'), (value, poison) => {
      const text = embedJson({ value, [poison]: poison })
      expect(text).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ value, [poison]: poison })))
    }),
  )
})

test('attribute and text escapes', () => {
  expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;')
})
