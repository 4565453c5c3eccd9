// The calls that a good server refuses or contains, from a shell: one process each, with what must hold.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { badInputs } from '../support/bad-inputs.js'
import { makeFolder, ROOT, viva } from '../support/run-cli.js'

const SHARED = join(ROOT, '../shared/data/bad-inputs')

test('every bad call is refused or contained, with an exit code that says so', { timeout: 240_000 }, async () => {
  const [project, temporary, outside] = [makeFolder(), makeFolder(), makeFolder({ 'keep.txt': 'x' })]
  const tool = (name: string, args: object) =>
    viva(['tool', name, '-'], { cwd: project, stdin: JSON.stringify(args), env: { TMPDIR: temporary } })
  const fresh = async (): Promise<void> => {
    await tool('test_cleanup', { workspace_id: 'w1' })
    await tool('test_setup', { workspace_id: 'w1', scratchpad: 'plan' })
    await tool('test_run', { workspace_id: 'w1', task: 'x', mock_responses: ['LOOP_COMPLETE'] })
  }
  const before = everything(temporary, outside, project)
  await fresh()
  let made = true
  let seen = 0
  for (const { path, expect: wanted, file } of badInputs('mcp')) {
    const { name, arguments: args } = JSON.parse(readFileSync(path, 'utf8')) as { name: string; arguments: object }
    const needed = name !== 'test_setup' || file.includes('in-use')
    if (needed && !made) await fresh()
    if (!needed && made) await tool('test_cleanup', { workspace_id: 'w1' })
    made = needed
    const { code, stdout, stderr } = await tool(name, args)
    seen += 1
    expect(stderr, file).not.toContain('please report')
    if (wanted === 'tool_error') expect([0, 130, null], `${file}: ${stdout}${stderr}`).not.toContain(code)
    if (wanted === 'tool_error') expect(`${stdout}${stderr}`, file).toMatch(/error|outside|cannot be used/)
    if (wanted === 'accept_warn') expect([code, stdout], file).toEqual([0, expect.stringContaining('active_files')])
    expect(`${stdout}${stderr}`, file).not.toMatch(/root:x:0|BEGIN [A-Z ]*PRIVATE KEY/)
    if (!needed && code === 0) await tool('test_cleanup', { workspace_id: 'w1' })
  }
  expect(seen).toBeGreaterThan(30)
  await tool('test_cleanup', { workspace_id: 'w1' })
  expect(everything(temporary, outside, project)).toEqual(
    [...before, join(basename(temporary), `viva-workspaces-${process.getuid?.() ?? ''}`)]
      .concat(
        ['folders', 'registry', 'state'].map((name) =>
          join(basename(temporary), `viva-workspaces-${process.getuid?.() ?? ''}`, name),
        ),
      )
      .toSorted(),
  )
  for (const folder of ['/tmp', '/', dirname(temporary)])
    expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('agt-pwn')) : []).toEqual([])
})

test.skipIf(!existsSync(SHARED))('the calls here are all there are', () => {
  const own = new Set(badInputs('mcp').map(({ file }) => basename(file)))
  expect(readdirSync(join(SHARED, 'mcp')).filter((name) => !own.has(name))).toEqual([])
})

function everything(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((name) => join(basename(folder), name))
        .filter((name) => !/viva-workspaces-\d+\/(?:registry|state|folders)\/./.test(name)),
    )
    .toSorted()
}
