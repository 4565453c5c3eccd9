// `code_contains`: files that were written and code blocks of the answer, and nothing else.
import { expect, test } from 'vitest'
import { checkOne, workspaceOf } from '../../../test/support/assertions.js'

const USES = { type: 'code_contains', pattern: '\\bFieldGroup\\b' }
const NOT = { ...USES, negate: true }
const changed = [
  { path: 'a.tsx', change: 'added' as const },
  { path: 'gone.tsx', change: 'deleted' as const },
]

test('a file that was added or changed', async () => {
  const services = { workspace: workspaceOf({ 'a.tsx': 'x\n<FieldGroup/>', 'other.tsx': '<Nothing/>' }) }
  expect(await checkOne(USES, { changes: changed, output: 'Done' }, services)).toMatchObject({
    passed: true,
    message: 'a.tsx, line 2',
  })
  expect(await checkOne(NOT, { changes: changed, output: 'Done' }, services)).toMatchObject({ passed: false })
})

test('a file that was there before is not what the agent wrote', async () => {
  const services = { workspace: workspaceOf({ 'a.tsx': 'x', 'other.tsx': '<FieldGroup/>' }) }
  expect(await checkOne(USES, { changes: changed, output: 'Done' }, services)).toMatchObject({ passed: false })
})

test('a code block of the answer, but not its prose', async () => {
  const block = 'Here:\n```tsx\n<FieldGroup/>\n```'
  expect(await checkOne(USES, { output: block })).toMatchObject({ passed: true })
  const prose = 'I used FieldGroup:\n```tsx\n<div/>\n```'
  expect(await checkOne(USES, { output: prose })).toMatchObject({ passed: false })
  expect(await checkOne(NOT, { output: prose })).toMatchObject({ passed: true })
})

test('where nothing was written, neither the check nor its opposite holds', async () => {
  for (const spec of [USES, NOT])
    expect(await checkOne(spec, { output: 'I used FieldGroup' })).toMatchObject({ passed: false })
})

test('what could not be searched leaves the opposite open', async () => {
  const services = { workspace: workspaceOf({ 'a.tsx': { kind: 'too_big', bytes: 9, limit: 1 } }) }
  const found = await checkOne(NOT, { changes: changed, output: '```\nx\n```' }, services)
  expect(found).toMatchObject({ passed: false })
  expect(found.error).toContain('a.tsx could not be searched')
  const more = await checkOne(NOT, { changes: [], changes_left_out: 3, output: '```\nx\n```' })
  expect(more.error).toContain('3 more changed files')
})
