import { expect, test } from 'vitest'
import { foreignText } from './foreign-text.js'

/** What arrives of a text that comes in pieces of one UTF-16 unit. */
function arrived(text: string, isTTY: boolean): string {
  let all = ''
  const write = (piece: string): boolean => Boolean((all += piece))
  const out = foreignText({ isTTY, write } as unknown as NodeJS.WriteStream)
  for (let at = 0; at < text.length; at++) out.write(text.charAt(at))
  out.end()
  return all
}

test('a line ending or a character that comes in two pieces is not taken for a control', () => {
  expect(arrived('a\r\n👍b\rc\r', true)).toBe(String.raw`a|👍b\rc\r`.replace('|', '\n'))
  expect(arrived('a\r\n👍b\rc\r\u001b[2J', false)).toBe('a\r\n👍b\rc\r\u001b[2J')
})
