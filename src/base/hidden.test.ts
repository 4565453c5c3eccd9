import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { escapeControls, hasHidden, segments, visible, visibleInColor, visibleJson } from './hidden.js'

// Text, in a block of text, on one line.
test.each([
  ['\n', '\n', '\\n'],
  ['\t', '\t', '\\t'],
  ['\r\n', '\n', '\\r\\n'],
  ['safe\revil', 'safe\\revil', 'safe\\revil'],
  ['\u0000', '\\x00', '\\x00'],
  ['\u001b[31m', '\\x1b[31m', '\\x1b[31m'],
  ['\u0085', '\\x85', '\\x85'],
  ['soft\u00adhyphen', 'soft\\xadhyphen', 'soft\\xadhyphen'],
  ['\u061c', '\\u{61c}', '\\u{61c}'],
  ['\u180e', '\\u{180e}', '\\u{180e}'],
  ['zero\u200bwidth', 'zero\\u{200b}width', 'zero\\u{200b}width'],
  ['invoice\u202egnp.exe', 'invoice\\u{202e}gnp.exe', 'invoice\\u{202e}gnp.exe'],
  ['\u2060', '\\u{2060}', '\\u{2060}'],
  ['\u2066x\u2069', '\\u{2066}x\\u{2069}', '\\u{2066}x\\u{2069}'],
  ['\ufeff', '\\u{feff}', '\\u{feff}'],
  ['\ufff9', '\\u{fff9}', '\\u{fff9}'],
  ['\uffff', '\\u{ffff}', '\\u{ffff}'],
  ['\ud800', '\\u{d800}', '\\u{d800}'],
  ['\u{e0041}', '\\u{e0041}', '\\u{e0041}'],
  ['p\u0430ssed', 'p\\u{430}ssed', 'p\\u{430}ssed'],
  ['\u0421ase closed', '\\u{421}ase closed', '\\u{421}ase closed'],
  ['pas\u200dsed', 'pas\\u{200d}sed', 'pas\\u{200d}sed'],
  ['\u3164x\u115f', '\\u{3164}x\\u{115f}', '\\u{3164}x\\u{115f}'],
  ['g\u043e\u043egle.com', 'g\\u{43e}\\u{43e}gle.com', 'g\\u{43e}\\u{43e}gle.com'],
])('%j', (text, block, line) => {
  expect([visible(text), escapeControls(text)]).toEqual([block, line])
})

test.each([
  'plain ünïcödé',
  'مرحبا',
  'नमस्ते',
  '👩‍👩‍👧 ✈️',
  'שלום',
  '日本',
  'Δx = 2πr',
  'SMS-рассылка по IT',
  'Привет, Anna! Windows-сервер',
  'hν and μm',
  'а b',
  'Αθήνα',
])('%s stays', (text) => {
  expect([visible(text), escapeControls(text)]).toEqual([text, text])
})

test('nothing hidden is left, and the pieces add up', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(hasHidden(visible(text))).toBe(false)
      expect(hasHidden(escapeControls(text))).toBe(false)
      expect(escapeControls(text)).not.toMatch(/[\r\n\t]/)
      expect(
        segments(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(visible(text))
    }),
  )
})

test.each([
  ['\u001b[31mred\u001b[0m \u001b[1;38;5;214mbold\u001b[m', '\u001b[31mred\u001b[0m \u001b[1;38;5;214mbold\u001b[m'],
  ['\u001b[8mhidden\u001b[0;8mx', String.raw`\x1b[8mhidden\x1b[0;8mx`],
  ['\u001b[31\u001b[2J\u009b31m', String.raw`\x1b[31\x1b[2J\x9b31m`],
  ['a\r\nb\tc\u202e', String.raw`a|b~c\u{202e}`.replace('|', '\n').replace('~', '\t')],
])('colours pass, nothing else does: %j', (text, shown) => expect(visibleInColor(text)).toBe(shown))

test('JSON stays the same JSON', () => {
  const value = { 'k\u009b': 'a\u009b2J \u007f \u202e \u{e0041} \u001b é 👍\n' }
  const shown = visibleJson(JSON.stringify(value, null, 2))
  expect(JSON.parse(shown)).toEqual(value)
  expect(shown).toMatch(/^[\n -~é👍]*$/u)
})
