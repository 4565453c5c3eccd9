// `expect_tool` where the name of a call is not that of a tool: neither the right call nor none.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'

test.each(['stop', null])('a call of which only a title is known is an error (expected: %s)', async (name) => {
  const tool_calls = [{ name: 'stop', args: {}, unnamed: true as const }]
  const result = await checkOne({ type: 'expect_tool', name }, { tool_calls })
  expect(result).toMatchObject({ passed: false, error: expect.stringContaining('is only a title') as unknown })
})

test('the right name fails if no such tool was offered', async () => {
  const tool_calls = [{ name: 'stop', args: {}, no_such_tool: true as const }]
  const result = await checkOne({ type: 'expect_tool', name: 'stop' }, { tool_calls })
  expect(result).toMatchObject({ passed: false, message: 'stop was called, which was not offered' })
})
