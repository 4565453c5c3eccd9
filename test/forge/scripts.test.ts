// What a script does to its own process changes no verdict: not of its test, not of another. One run of the command line
// for all tricks, each in a file of its own.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRun } from '../faults/support.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { BUILT_IN_TRICKS, CHANNEL_TRICKS } from './script-tricks.js'

const TRICKS = [...CHANNEL_TRICKS, ...BUILT_IN_TRICKS]

/** The trick comes first; then the test fails, and says so. */
const fileWith = (trick: string): string => `
import fs from 'node:fs'
import v8 from 'node:v8'
import crypto from 'node:crypto'
async function TestTrick(t) {
  ${trick}
  t.assert.Equal(1, 2, 'really')
}`

const VICTIM = `
function TestWrong(t) { t.assert.Equal(1, 2, 'really') }
function TestRight(t) { t.assert.Equal(1, 1) }`

test('no trick of a script changes a verdict', async () => {
  const files: Record<string, string> = { 'app.yao': '{}', 'assistants/shop/package.yao': '{ "name": "shop" }' }
  TRICKS.forEach(({ code }, index) => {
    files[`assistants/shop/src/trick${index}_test.ts`] = fileWith(code)
  })
  files['assistants/shop/src/victim_test.ts'] = VICTIM
  const cwd = makeFolder(files)
  const run = await viva(['test', '-i', 'scripts.shop.*', '-o', 'o.jsonl', '--timeout', '60s'], { cwd })
  const { results } = checkRun(join(cwd, 'o.jsonl'), { complete: true })
  const outcome = (file: string, name: string): string => {
    const found = results.find((result) => result.script === `scripts.shop.${file}` && result.name === name)
    return found ? `${found.status}: ${found.status === 'failed' ? found.error : ''}` : 'no result'
  }
  for (const [index, { what, error }] of TRICKS.entries()) {
    const found = outcome(`trick${index}`, 'TestTrick')
    expect.soft(found, what).toMatch(/^failed: /)
    expect.soft(found, what).toMatch(error ?? /: assertion failed: really$/)
  }
  expect(outcome('victim', 'TestWrong')).toBe('failed: assertion failed: really')
  expect(outcome('victim', 'TestRight')).toBe('passed: ')
  expect(results).toHaveLength(TRICKS.length + 2)
  expect(run.code).toBe(1)
}, 120_000)
