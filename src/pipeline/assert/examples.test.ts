// Every assertion on examples that hold and examples that fail, with the text of the failure.
import { expect, test } from 'vitest'
import { checkOne, readJsonl, workspaceOf } from '../../../test/support/assertions.js'
import type { Evidence } from '../../model/evidence.js'
import type { AssertionResult } from '../../model/assertion.js'
import type { FileReading } from '../../model/workspace.js'
import { assertionDefinitions } from './registry.js'

type Given = Partial<Evidence> & {
  message?: string
  /** In the workspace: text, or whatever else is at a path. */
  files?: Record<string, string | FileReading>
}

interface Example {
  name: string
  assert: unknown
  holds: Given[]
  fails: Given[]
}

const examples = readJsonl<Example>(new URL('../../../test/fixtures/assert/examples.jsonl', import.meta.url))
const ASKED = ['snapshot', 'snapshot_matches', 'agent', 'rubric', 'script']

for (const { name, assert, holds, fails } of examples) {
  test(name, async () => {
    for (const given of holds) {
      const result = await check(assert, given)
      expect(result, JSON.stringify(given)).toMatchObject({ passed: true })
      expect(result.error).toBeUndefined()
    }
    for (const { message, ...given } of fails) {
      const result = await check(assert, given)
      expect(result, JSON.stringify(given)).toMatchObject({ passed: false })
      expect(result.error).toBeUndefined()
      expect(result.message).toBeTruthy()
      if (message !== undefined) expect(result.message).toBe(message)
    }
  })
}

function check(assert: unknown, { files, ...given }: Given): Promise<AssertionResult> {
  return checkOne(assert, given, files && { workspace: workspaceOf(files) })
}

test('every assertion without a judge or script has an example here', () => {
  const shown = JSON.stringify(examples)
  const missing = assertionDefinitions.filter(
    ({ type }) => type !== 'equals' && !ASKED.includes(type) && !shown.includes(`"${type}"`),
  )
  expect(missing.map(({ type }) => type)).toEqual([])
})
