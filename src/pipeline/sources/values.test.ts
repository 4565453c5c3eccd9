import { expect, test } from 'vitest'
import { UserError } from '../../errors.js'
import { casesFromValues } from './values.js'

const options = { kind: 'generator' as const, label: 'agents:gen', dir: '/app' }

async function problems(values: unknown[], extra = {}): Promise<string[]> {
  try {
    await casesFromValues(values, { ...options, ...extra })
  } catch (error) {
    if (error instanceof UserError)
      return error.problems.map(({ line, field, message }) => `${line ?? ''}${field} ${message}`)
  }
  return []
}

test('generated values become cases', async () => {
  const source = await casesFromValues(
    [{ id: 'a', input: 'x', assertions: [{ type: 'contains', value: 'y' }], note: 1 }],
    options,
  )
  expect(source).toMatchObject({ kind: 'generator', label: 'agents:gen', dir: '/app', total: 1 })
  expect(source.warnings).toEqual(['agents:gen: case 1: note: unknown field "note" is ignored'])
  const batches = []
  for await (const batch of source.cases()) batches.push(batch)
  expect(batches.flat().map(({ testCase }) => testCase)).toEqual([
    { id: 'a', input: 'x', assertions: [{ type: 'contains', value: 'y' }] },
  ])
})

test('mistakes are named by the number of the case', async () => {
  expect(await problems([{ input: 'x' }, 5, { id: 'a', input: 1 }, { id: 'a', input: 'y' }])).toEqual([
    `cases[0].id missing required field 'id'`,
    'cases[1] expected an object, found number 5',
    'cases[2].input unsupported input type number: expected text, a message or a list of messages',
    'cases[3].id duplicate id "a": first on case 3, again on case 4',
  ])
})

test('values that JSON cannot hold are refused, not a crash', async () => {
  let deep: unknown = 1
  for (let level = 0; level < 20_000; level++) deep = [deep]
  const circle: Record<string, unknown> = { id: 'c', input: 'x' }
  circle['metadata'] = circle
  expect(await problems([{ id: 'a', input: 'x', expected: deep }])).toEqual(['cases[0] nesting deeper than 100 levels'])
  expect(await problems([circle])).toEqual(['cases[0] nesting deeper than 100 levels'])
})

test('no values are no test cases', async () => {
  await expect(casesFromValues([], options)).rejects.toThrow('no test cases in agents:gen')
})
