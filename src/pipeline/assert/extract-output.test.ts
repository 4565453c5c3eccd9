import { expect, test } from 'vitest'
import { outputOf } from './extract-output.js'

const done = { name: 'f', args: {}, result: { message: 'done', action: 'init' } }
const bare = { name: 'g', args: {}, result: 'x' }

test("the Next hook's data wins, then the content", () => {
  expect(outputOf({ next: { a: 1 }, content: 'text', tool_calls: [done] })).toEqual({ a: 1 })
  expect(outputOf({ content: 'text', tool_calls: [done] })).toBe('text')
  expect(outputOf({ next: null, content: { a: 1 }, tool_calls: [] })).toEqual({ a: 1 })
  expect(outputOf({ content: 0, tool_calls: [done] })).toBe(0)
})

test("without content: the first tool result's message, else a summary of the calls", () => {
  expect(outputOf({ content: '', tool_calls: [bare, done] })).toBe('done')
  expect(outputOf({ content: null, tool_calls: [{ ...done, result: { action: 'init' } }, bare] })).toBe('[f: init] [g]')
  const ended = (success: boolean) => [{ ...bare, result: { success } }]
  expect(outputOf({ content: null, tool_calls: ended(true) })).toBe('[g: success]')
  expect(outputOf({ content: null, tool_calls: ended(false) })).toBe('[g]')
})

test('nothing at all is null, an empty text is an empty text', () => {
  expect(outputOf({ content: null, tool_calls: [] })).toBeNull()
  expect(outputOf({ content: '', tool_calls: [] })).toBe('')
})
