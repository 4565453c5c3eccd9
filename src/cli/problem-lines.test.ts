// Many problems of one kind are a few lines, and none is lost.
import { expect, test } from 'vitest'
import type { Problem } from '../errors.js'
import { problemLines } from './problem-lines.js'

const at = (line: number, message: string, field = 'assert.value'): Problem => ({
  file: 'cases.jsonl',
  line,
  column: 5,
  field,
  message,
})

test('sixty of a kind are the first three and the lines of the others', () => {
  const problems = Array.from({ length: 60 }, (_, index) => at(index + 1, `must be text, found ${index}`))
  expect(problemLines(problems)).toEqual([
    'cases.jsonl:1:5: assert.value: must be text, found 0',
    'cases.jsonl:2:5: assert.value: must be text, found 1',
    'cases.jsonl:3:5: assert.value: must be text, found 2',
    'cases.jsonl … 57 more problems like these: lines 4–60',
  ])
})

test('other kinds among them stay whole, and so do four of a kind', () => {
  const same = [1, 3, 5, 7, 9].map((line) => at(line, 'is missing', `turns[${line}].input`))
  const other = at(4, 'must be a number, found "x"', 'timeout')
  expect(problemLines([...same, other])).toEqual([
    'cases.jsonl:1:5: turns[1].input: is missing',
    'cases.jsonl:3:5: turns[3].input: is missing',
    'cases.jsonl:5:5: turns[5].input: is missing',
    'cases.jsonl … 2 more problems like these: lines 7, 9',
    'cases.jsonl:4:5: timeout: must be a number, found "x"',
  ])
  expect(problemLines(same.slice(0, 4))).toHaveLength(4)
})
