import { expect, test } from 'vitest'
import { cannotWrite } from './cannot-write.js'

const failed = (code: string) => Object.assign(new Error(`${code}: as the system says it, write`), { code })

// The event log had words of its own, reports and folders the system's: one table now.
test.each([
  [failed('ENOSPC'), 'cannot write o.jsonl: the disk is full (ENOSPC)'],
  [failed('EFBIG'), 'cannot write o.jsonl: the file would exceed the size limit (EFBIG)'],
  [failed('EACCES'), 'cannot write o.jsonl: permission denied (EACCES)'],
  [failed('EXDEV'), 'cannot write o.jsonl: EXDEV: as the system says it, write'],
  [failed('constructor'), 'cannot write o.jsonl: constructor: as the system says it, write'],
  [new Error('no code'), 'cannot write o.jsonl: no code'],
  ['it is a folder', 'cannot write o.jsonl: it is a folder'],
])('%#', (reason, message) => {
  expect(cannotWrite('o.jsonl', reason, 'next step')).toMatchObject({ code: 'CANNOT_WRITE', message, exitCode: 2 })
})

test('keeps the cause, the hint and the exit code', () => {
  const cause = failed('EIO')
  expect(cannotWrite('x', cause, 'go there', 3)).toMatchObject({ cause, hint: 'go there', exitCode: 3 })
})
