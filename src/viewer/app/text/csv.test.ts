import { expect, test } from 'vitest'
import { toCsv } from './csv.js'

const one = (value: string | number | null) => toCsv(['x'], [[value]]).split('\r\n')[1]

test('quotes what would break a cell', () => {
  expect(one('a,b')).toBe('"a,b"')
  expect(one('say "hi"')).toBe('"say ""hi"""')
  expect(toCsv(['x'], [['a\nb']])).toBe('x\r\n"a\nb"\r\n')
})

test.each(['=1+1', '+1', '-1', '@a', '\tx', '＝1'])('%j starts no formula', (text) => {
  expect(one(text)).toBe(`'${text}`)
})

test('numbers stay numbers, nothing stays empty', () => {
  expect(one(-2.5)).toBe('-2.5')
  expect(one(null)).toBe('')
})
