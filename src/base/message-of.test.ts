import { expect, test } from 'vitest'
import { messageOf } from './message-of.js'

class Hostile extends Error {
  override get message(): string {
    throw new Error('no')
  }
}

test.each([
  [new Error('why'), 'why'],
  [new TypeError(''), ''],
  ['text', 'text'],
  [undefined, 'undefined'],
  [{ a: 1 }, '[object Object]'],
  [Object.create(null), '[object Object]'],
  [Object.assign(new Error('x'), { message: 5 }), '5'],
  [Symbol('s'), 'Symbol(s)'],
  [new Hostile(), '[object Error]'],
])('%#', (thrown, text) => expect(messageOf(thrown)).toBe(text))
