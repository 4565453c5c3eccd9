import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { conformanceRows } from '../../test/support/conformance.js'
import { splitCommand } from './split-command.js'

function check(text: string, words: string[]) {
  expect(splitCommand(text)).toEqual(words)
}

test('splits at white space', () => check('  node   agent.mjs --x ', ['node', 'agent.mjs', '--x']))
test('keeps quoted words together', () => check(`a 'b c' "d e"`, ['a', 'b c', 'd e']))
test('keeps an empty quoted word', () => check(`a '' b`, ['a', '', 'b']))
test('joins what touches', () => check(`--name='x y'z`, ['--name=x yz']))
test('takes an escaped quote inside double quotes', () => check(String.raw`a "b\" c"`, ['a', 'b" c']))
test('leaves a backslash in single quotes alone', () => check(String.raw`'a\b'`, [String.raw`a\b`]))
test('takes an escaped space', () => check(String.raw`a\ b c`, ['a b', 'c']))
test('gives shell operators no meaning', () =>
  check('a | b && c > d `e` $F *', ['a', '|', 'b', '&&', 'c', '>', 'd', '`e`', '$F', '*']))
test('refuses an open quote', () => expect(() => splitCommand(`a "b`)).toThrow(/opening " without a closing one/))

test('any words survive quoting', () => {
  const quote = (word: string) => `'${word.replaceAll("'", `'"'"'`)}'`
  fc.assert(
    fc.property(fc.array(anyText()), (words) => {
      expect(splitCommand(words.map(quote).join(' '))).toEqual(words)
    }),
  )
})

test('commands as the original splits them', () => {
  for (const { given, expect: expected } of conformanceRows('command_split', 'command_split'))
    check(String(given['command']), expected['argv'] as string[])
})
