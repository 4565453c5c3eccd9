import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/support/run-cli.js'
import { isInside, pathBelow, readInside } from './inside.js'

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

// Root, path, and whether it counts as inside.
const PLACES: Array<[root: string, path: string, inside: boolean]> = [
  ['app', 'app', true],
  ['app', 'app/file', true],
  ['app', 'app/sub/file', true],
  ['app', 'app-evil/file', false],
  ['app', 'outside/file', false],
  ['app', '.', false],
  ['app', 'app/..dots/file', true],
  ['app', 'app/..\\file', false],
  ['app', 'app/link-in/file', true],
  ['app', 'app/out/file', false],
  ['app', 'app/out-file', false],
  ['app', 'app/missing', true],
  ['app', 'app/missing/deep', true],
  ['app', 'app/out/missing', false],
  ['app', 'outside/missing', false],
  ['app', 'app/dangling-in', true],
  ['app', 'app/dangling-out', false],
  ['app', 'app/dangling-out/deep', false],
  ['app', 'app/loop', false],
  ['app', 'app/file/below', true],
  ['app-link', 'app/file', true],
  ['app', 'app-link/file', true],
  ['app', 'outside/into/file', true],
  ['missing', 'missing/file', true],
  ['app', 'app/sub/../../outside/file', false],
  ['app', 'app/out/../outside/file', false],
]

test('links are resolved, names are compared whole, and a missing file is where it would be created', () => {
  const dir = makeTree()
  expect(PLACES.map(([root, path]) => [root, path, isInside(`${dir}/${root}`, `${dir}/${path}`)])).toEqual(PLACES)
})

test('a relative path is one below the working directory', () => {
  expect(isInside('.', 'no-such-file')).toBe(true)
  expect(isInside('.', '../no-such-file')).toBe(false)
})

test('a path that cannot be resolved is not inside', () => {
  const dir = makeTree()
  expect(isInside(dir, `${dir}/a\0b`)).toBe(false)
  expect(isInside(dir, `${dir}/${'x'.repeat(5000)}`)).toBe(false)
})

// Root, path, the way from one to the other.
const WINDOWS: Array<[root: string, path: string, way: string | undefined]> = [
  ['C:\\app', 'C:\\app\\sub\\file', 'sub\\file'],
  ['C:\\app', 'c:\\APP\\file', 'file'],
  ['C:\\app', 'C:/app/file', 'file'],
  ['C:\\app', 'C:\\app', ''],
  ['C:\\app', 'C:\\app-evil\\file', undefined],
  ['C:\\app', 'C:\\app\\..\\file', undefined],
  ['C:\\app', 'C:\\app\\sub/../../file', undefined],
  ['C:\\app', 'C:\\app\\..dots\\file', '..dots\\file'],
  ['C:\\app', 'D:\\app\\file', undefined],
  ['C:\\app', '\\\\server\\share\\file', undefined],
  ['\\\\server\\share', '\\\\server\\other\\file', undefined],
]

test.each(WINDOWS)('on Windows, from %s to %s: %s', (root, path, way) => expect(pathBelow(root, path, win32)).toBe(way))

test('what is read is inside', async () => {
  const dir = makeTree()
  writeFileSync(join(dir, 'app/sub/file'), 'text')
  expect(await readInside(join(dir, 'app'), 'link-in/file')).toBe('text')
  await expect(readInside(join(dir, 'app'), 'out/file')).rejects.toThrow('out/file is outside')
  await expect(readInside(join(dir, 'app'), '../outside/file')).rejects.toThrow('is outside')
})
