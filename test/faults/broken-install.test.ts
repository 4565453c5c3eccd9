// A copy of Viva with a part missing or damaged says so.
import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { makeFolder, ROOT } from '../support/run-cli.js'

test('a module that cannot be loaded is an error with words, not a silent exit', async () => {
  const dir = makeFolder()
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, name), join(dir, name), { recursive: true })
  appendFileSync(join(dir, 'dist/chunks/core.js'), "\nthrow new Error('torn')\n")
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(dir, 'bin/viva.js'), 'test', '-i', 'hi', '-n', 'builtin:echo'],
      { cwd: dir },
      (error, _, text) => resolve({ code: error?.code, stderr: text }),
    )
  })
  expect(stderr).toBe('error: part of Viva could not be loaded: torn\n  hint: install it again\n')
  expect(code).toBe(3)
})
