// An agent that swaps a folder for a link at the worst moments: while a file is opened, and while what was opened is checked.
import { existsSync, readdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readWorkspaceFile, writeWorkspaceFiles } from '../../src/workspaces/files.js'
import { makeFolder } from '../support/run-cli.js'
import { makeWorkspace } from './support.js'

/** What is done around each opening and each look. */
const moment = vi.hoisted(() => ({ before: () => {}, after: () => {} }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const during =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      moment.before()
      try {
        return await work(...args)
      } finally {
        moment.after()
      }
    }
  return { ...real, open: during(real.open as never), stat: during(real.stat as never) }
})

test.skipIf(!existsSync('/proc/self/fd'))(
  'what is opened must lie inside, whatever its path says by then',
  async () => {
    const { workspace } = await makeWorkspace({ fixtures: { 'dir/secret.txt': 'inside' } })
    const outside = makeFolder({ 'secret.txt': 'root:secret' })
    const [dir, real] = [join(workspace.path, 'dir'), join(workspace.path, 'real')]
    moment.before = () => {
      renameSync(dir, real)
      symlinkSync(outside, dir)
    }
    moment.after = () => {
      unlinkSync(dir)
      renameSync(real, dir)
    }
    expect(await readWorkspaceFile(workspace, 'dir/secret.txt')).toMatchObject({ kind: 'refused' })
    await expect(writeWorkspaceFiles(workspace, { 'dir/new.txt': 'x' })).rejects.toThrow('outside the workspace')
    expect(readdirSync(outside)).toEqual(['secret.txt'])
    moment.before = moment.after = () => {}
    writeFileSync(join(dir, 'secret.txt'), 'changed')
    expect(await readWorkspaceFile(workspace, 'dir/secret.txt')).toMatchObject({ kind: 'text', text: 'changed' })
  },
)
