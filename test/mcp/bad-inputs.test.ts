// Calls that a good server refuses or contains, each with what must hold for it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { badInputs } from '../support/bad-inputs.js'
import { makeFolder } from '../support/run-cli.js'
import { connect, ONE_ITERATION, type Called } from './support.js'

test('every bad call is answered as it must be, and touches nothing outside', { timeout: 120_000 }, async () => {
  const outside = makeFolder({ 'keep.txt': 'x' })
  const { call, client, temporary, project } = await connect('stdio', { args: ['--allow-live'] })
  const listed = new Set((await client.listTools()).tools.map(({ name }) => name))
  const before = everything(temporary, outside, project)
  let seen = 0
  for (const { path, expect: wanted, file } of badInputs('mcp')) {
    const { name, arguments: args } = JSON.parse(readFileSync(path, 'utf8')) as { name: string; arguments: object }
    if (!listed.has(name)) continue
    seen += 1
    const isUsed = !name.startsWith('test_setup') || file.includes('in-use')
    if (isUsed) await call('test_setup', { workspace_id: 'w1', scratchpad: 'plan' })
    if (name !== 'test_setup') await call('test_run', { workspace_id: 'w1', ...ONE_ITERATION })
    const answer = await call(name, args)
    expect(answer.text, file).not.toContain('bug, please report')
    if (wanted === 'tool_error') expect(isRefused(answer), `${file}: ${answer.text}`).toBe(true)
    if (wanted === 'accept_warn') {
      expect(answer.isError, `${file}: ${answer.text}`).toBe(false)
      expect(JSON.stringify(answer.value), file).toContain('active_files')
    }
    await call('test_cleanup', { workspace_id: 'w1' })
  }
  expect(seen).toBeGreaterThan(20)
  expect(everything(temporary, outside, project)).toEqual(before)
  for (const folder of ['/tmp', '/', dirname(temporary)])
    expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('agt-pwn')) : []).toEqual([])
})

/** A failed assertion is a refusal too, where the assertion is what is wrong. */
function isRefused({ isError, value, text }: Called): boolean {
  return isError || (value['passed'] === false && /outside|cannot be used/.test(text))
}

function everything(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(basename(folder), name))
      .filter((name) => !/viva-workspaces-\d+\/(?:registry|state|folders)\//.test(name)),
  )
}
