import { expect, test } from 'vitest'
import { findReason, REASONS, TERMINATION_EXIT_CODES } from './termination.js'

test('a reason is found in PascalCase and in snake_case', () => {
  for (const reason of REASONS) {
    const snake = reason.replaceAll(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
    expect([findReason(reason), findReason(snake)]).toEqual([reason, reason])
  }
  expect(findReason('MaxIteration')).toBeUndefined()
})

test('limits exit 2, an interruption 130', () => {
  expect([TERMINATION_EXIT_CODES.MaxRuntime, TERMINATION_EXIT_CODES.Interrupted]).toEqual([2, 130])
})
