import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/support/run-cli.js'
import { isInside as mustExist } from '../agents/package/load/folder.js'
import { openFileSystem } from '../scripts/child/file-system.js'
import { isInside as missingIsOut } from '../scripts/compile/paths.js'
import { isInside as lexical } from './read-inside.js'

function makeTree(): string {
  const dir = makeFolder()
  for (const folder of ['app/sub', 'app/..dots', 'app-evil', 'outside'])
    mkdirSync(join(dir, folder), { recursive: true })
  const files = ['app/file', 'app/sub/file', 'app/..dots/file', 'app/..\\file', 'app-evil/file', 'outside/file']
  for (const file of files) writeFileSync(join(dir, file), '')
  symlinkSync('sub', join(dir, 'app/link-in'))
  symlinkSync('sub/missing', join(dir, 'app/dangling-in'))
  symlinkSync(join(dir, 'outside'), join(dir, 'app/out'))
  symlinkSync(join(dir, 'outside/file'), join(dir, 'app/out-file'))
  symlinkSync(join(dir, 'outside/missing'), join(dir, 'app/dangling-out'))
  symlinkSync('loop', join(dir, 'app/loop'))
  symlinkSync('app', join(dir, 'app-link'))
  symlinkSync(join(dir, 'app/sub'), join(dir, 'outside/into'))
  return dir
}

// Root, path, and what each of the four checks says of it: by name only, what exists, with missing files outside, for scripts.
const MEANINGS = [
  ['app', 'app', 'in', 'in', 'in', 'in'],
  ['app', 'app/file', 'in', 'in', 'in', 'in'],
  ['app', 'app/sub/file', 'in', 'in', 'in', 'in'],
  ['app', 'app-evil/file', 'out', 'out', 'out', 'out'],
  ['app', 'outside/file', 'out', 'out', 'out', 'out'],
  ['app', '.', 'out', 'out', 'out', 'out'],
  ['app', 'app/..dots/file', 'in', 'in', 'in', 'in'],
  ['app', 'app/..\\file', 'out', 'in', 'in', 'in'],
  ['app', 'app/link-in/file', 'in', 'in', 'in', 'in'],
  ['app', 'app/out/file', 'in', 'out', 'out', 'out'],
  ['app', 'app/out-file', 'in', 'out', 'out', 'out'],
  ['app', 'app/missing', 'in', 'throws', 'out', 'in'],
  ['app', 'app/missing/deep', 'in', 'throws', 'out', 'in'],
  ['app', 'app/out/missing', 'in', 'throws', 'out', 'out'],
  ['app', 'outside/missing', 'out', 'throws', 'out', 'out'],
  ['app', 'app/dangling-in', 'in', 'throws', 'out', 'in'],
  ['app', 'app/dangling-out', 'in', 'throws', 'out', 'in'],
  ['app', 'app/dangling-out/deep', 'in', 'throws', 'out', 'in'],
  ['app', 'app/loop', 'in', 'throws', 'out', 'in'],
  ['app', 'app/file/below', 'in', 'throws', 'out', 'in'],
  ['app-link', 'app/file', 'out', 'in', 'in', 'in'],
  ['app', 'app-link/file', 'out', 'in', 'in', 'in'],
  ['app', 'outside/into/file', 'out', 'in', 'in', 'in'],
  ['missing', 'missing/file', 'in', 'throws', 'out', 'in'],
  ['app', 'app/sub/../../outside/file', 'out', 'out', 'out', 'out'],
  ['app', 'app/out/../outside/file', 'in', 'throws', 'out', 'in'],
] as const

test('the four checks answer as they always did', () => {
  const dir = makeTree()
  const seen = MEANINGS.map(([root, path]) => {
    const places = [`${dir}/${root}`, `${dir}/${path}`] as const
    const all = [lexical, mustExist, missingIsOut, ofScripts]
    return [root, path, ...all.map((isInside) => answer(() => isInside(...places)))]
  })
  expect(seen).toEqual(MEANINGS)
})

function answer(ask: () => boolean): string {
  try {
    return ask() ? 'in' : 'out'
  } catch {
    return 'throws'
  }
}

function ofScripts(root: string, path: string): boolean {
  const given = path.startsWith(`${root}/`) ? path.slice(root.length) : `..${path.slice(root.lastIndexOf('/'))}`
  try {
    openFileSystem(root, 'system')['Abs']?.(given)
    return true
  } catch {
    return false
  }
}
