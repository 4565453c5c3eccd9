import { afterAll, expect, test } from 'vitest'
import { PatternError } from '../../base/regex.js'
import { compileJsPattern } from './js-pattern.js'
import { SearchThread } from './search-thread.js'

const thread = new SearchThread()
const search = (source: string, text: string): Promise<boolean> => thread.search(compileJsPattern(source), text)
afterAll(() => thread.close())

test('look-around, back-references and flags', async () => {
  expect(await search('(?<=\\$)\\d+', 'costs $5')).toBe(true)
  expect(await search('(\\w)\\1', 'hello')).toBe(true)
  expect(await search('(?i)HELLO(?!x)', 'hello')).toBe(true)
  expect(await search('(?!a)b', 'a')).toBe(false)
})

test('a search is stopped after its time, and the next one works', async () => {
  const slow = search('(?=a)(a+)+$', `${'a'.repeat(50)}!`)
  const next = search('(?=b)b', 'ab')
  await expect(slow).rejects.toThrow('no answer within 1 s')
  expect(await next).toBe(true)
})

test('a slow search of one run does not hold up another', async () => {
  const other = new SearchThread()
  const slow = search('(?=a)(a+)+$', `${'a'.repeat(50)}!`).catch(() => 'stopped')
  expect(await Promise.race([slow, other.search(/(?=b)b/, 'ab')])).toBe(true)
  await other.close()
  expect(await slow).toBe('stopped')
})

test('a search waiting when the thread is closed is rejected', async () => {
  const other = new SearchThread()
  await other.search(/a/, 'a')
  const waiting = expect(other.search(/(?=a)(a+)+$/, `${'a'.repeat(50)}!`)).rejects.toThrow('the search was stopped')
  await new Promise((resolve) => setImmediate(resolve))
  await other.close()
  await waiting
})

test('a bad pattern is refused when compiled', () => {
  expect(() => compileJsPattern('(?=')).toThrow(PatternError)
})
