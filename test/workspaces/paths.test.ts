// Nothing outside a workspace is created, read or deleted, whatever its paths and links say.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../src/workspaces/create.js'
import { readWorkspaceFile, writeWorkspaceFiles } from '../../src/workspaces/files.js'
import { removeWorkspace } from '../../src/workspaces/remove.js'
import { restoreSnapshot } from '../../src/workspaces/restore.js'
import { currentFiles, takeSnapshot } from '../../src/workspaces/snapshots.js'
import { openWorkspace } from '../../src/workspaces/workspace.js'
import { openPlace } from '../../src/workspaces/place.js'
import { show } from '../../src/base/text.js'
import { makeFolder } from '../support/run-cli.js'
import { makePlace, makeWorkspace } from './support.js'

const LONG = `${'x/'.repeat(2000)}x`
const FIXTURES = ['../pwn', 'a/b/../../../pwn', '/tmp/viva-pwn', '..\\..\\pwn', 'C:\\pwn', 'a\0b', 'dir/', LONG]

test.each([...FIXTURES, '.agent-test-workspace.json', '', '.'])('no fixture is called %j', async (path) => {
  const place = makePlace()
  await expect(createWorkspace(place, 'w1', { fixtures: { ok: '1', [path]: 'x' } })).rejects.toMatchObject({
    code: 'BAD_FIXTURE',
    message: expect.stringContaining(show(path, 120)) as string,
  })
  expect(readdirSync(place.folders)).toEqual([])
  expect(readdirSync(place.registry)).toEqual([])
  expect(readdirSync(place.state)).toEqual([])
})

test('a file cannot be a folder as well, and nothing is made', async () => {
  const place = makePlace()
  const fixtures = { a: 'file', 'a/b': 'below it' }
  await expect(createWorkspace(place, 'w1', { fixtures })).rejects.toThrow('"a" is a file')
  await expect(createWorkspace(place, 'w1', { fixtures: { './a': '1', a: '2' } })).rejects.toThrow('to the same path')
  await expect(createWorkspace(place, 'w1', { fixtures: { a: { x: 1 } as unknown as string } })).rejects.toThrow(
    'must be text, found object',
  )
  expect(readdirSync(place.folders)).toEqual([])
})

test.each(['', '.', '..', '../../etc', 'a/b', ' w1', 'a\0', 'x'.repeat(65), '-a', 'é', 7])(
  'no workspace is called %j',
  async (id) => {
    const place = makePlace()
    await expect(createWorkspace(place, id, {})).rejects.toMatchObject({ code: 'BAD_NAME' })
    expect(() => openWorkspace(place, id)).toThrow('must match [A-Za-z0-9]')
    await expect(removeWorkspace(place, id)).rejects.toMatchObject({ code: 'BAD_NAME' })
  },
)

test('names that mean something to JavaScript are ordinary files', async () => {
  const fixtures = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, string>
  const { workspace } = await makeWorkspace({ fixtures })
  expect(readFileSync(join(workspace.path, '__proto__'), 'utf8')).toBe('x')
  expect(Object.keys(await currentFiles(workspace, {}))).toEqual(['__proto__', 'constructor'])
  await restoreSnapshot(workspace)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

test('files that an agent acts on are named, and none can be run', async () => {
  const fixtures = {
    '.claude/settings.json': '{}',
    '.mcp.json': '{}',
    '.git/hooks/post-checkout': '#!/bin/sh',
    'a.md': '',
  }
  const { workspace, active_files, created_files } = await createWorkspace(makePlace(), 'w1', { fixtures })
  expect(active_files).toEqual(['.claude/settings.json', '.mcp.json', '.git/hooks/post-checkout'])
  expect(created_files).toEqual(Object.keys(fixtures))
  for (const path of created_files) expect(statSync(join(workspace.path, path)).mode & 0o777).toBe(0o600)
  expect(statSync(workspace.path).mode & 0o777).toBe(0o700)
})

test('what an agent links to is read only inside', async () => {
  const { workspace } = await makeWorkspace({ fixtures: { 'in/file': 'inside' } })
  const outside = makeFolder({ 'secret.txt': 'root:secret' })
  const link = (target: string, name: string): void => symlinkSync(target, join(workspace.path, name))
  link(join(outside, 'secret.txt'), 'file-link')
  link(outside, 'folder-link')
  link('/', 'root')
  link('loop', 'loop')
  link('in', 'in-link')
  link(join(outside, 'missing'), 'dangling')
  for (const path of ['file-link', 'folder-link/secret.txt', 'root/etc/passwd', 'loop', 'dangling']) {
    const found = await readWorkspaceFile(workspace, path)
    expect(found, path).toEqual({ kind: 'refused', why: `${path} leads outside the workspace` })
    expect(JSON.stringify(found)).not.toContain('secret:')
  }
  expect(await readWorkspaceFile(workspace, 'in-link/file')).toMatchObject({ kind: 'text', text: 'inside' })
  const { files } = await takeSnapshot(workspace)
  expect(JSON.stringify(files)).not.toContain('root:secret')
  expect(files['root']).toEqual({ link: '/' })
})

test('nothing is written through a link', async () => {
  const { workspace } = await makeWorkspace({ fixtures: { 'dir/a': '1', b: '2' } })
  const outside = makeFolder({ a: 'theirs', b: 'theirs' })
  rmSync(join(workspace.path, 'dir'), { recursive: true })
  rmSync(join(workspace.path, 'b'))
  symlinkSync(outside, join(workspace.path, 'dir'))
  symlinkSync(join(outside, 'b'), join(workspace.path, 'b'))
  await expect(writeWorkspaceFiles(workspace, { 'dir/a': 'x' })).rejects.toThrow('dir is a link')
  await writeWorkspaceFiles(workspace, { b: 'mine' })
  expect(lstatSync(join(workspace.path, 'b')).isFile()).toBe(true)
  await restoreSnapshot(workspace)
  expect(readFileSync(join(workspace.path, 'dir/a'), 'utf8')).toBe('1')
  expect([readFileSync(join(outside, 'a'), 'utf8'), readFileSync(join(outside, 'b'), 'utf8')]).toEqual([
    'theirs',
    'theirs',
  ])
})

test('pipes, folders without permission and large files do not block anything', async () => {
  const { place, workspace } = await makeWorkspace()
  execFileSync('mkfifo', [join(workspace.path, 'pipe')])
  writeFileSync(join(workspace.path, 'big'), 'x'.repeat(1024 * 1024 + 1))
  writeFileSync(join(workspace.path, 'binary'), Buffer.from([0xff, 0xfe, 0]))
  mkdirSync(join(workspace.path, 'shut/deep'), { recursive: true })
  writeFileSync(join(workspace.path, 'shut/deep/file'), '')
  chmodSync(join(workspace.path, 'shut/deep'), 0)
  expect(await readWorkspaceFile(workspace, 'pipe')).toEqual({ kind: 'refused', why: 'pipe is not a regular file' })
  expect(await readWorkspaceFile(workspace, 'big')).toMatchObject({ kind: 'too_big', bytes: 1024 * 1024 + 1 })
  expect(await readWorkspaceFile(workspace, 'binary')).toEqual({ kind: 'binary', bytes: 3 })
  expect(await readWorkspaceFile(workspace, 'none/x')).toEqual({ kind: 'missing' })
  expect(await readWorkspaceFile(workspace, 'big/x')).toEqual({ kind: 'missing' })
  expect(await readWorkspaceFile(workspace, 'shut')).toEqual({ kind: 'folder' })
  const { files } = await takeSnapshot(workspace)
  expect(files['pipe']).toEqual({ other: true })
  expect(files['binary']).toMatchObject({ bytes: 3 })
  expect(files['big']).toMatchObject({ bytes: 1024 * 1024 + 1 })
  await removeWorkspace(place, 'w1')
  expect(existsSync(workspace.path)).toBe(false)
})

test('a workspace that was swapped for a link, or for another folder, is not touched', async () => {
  for (const swap of ['link', 'folder'] as const) {
    const { place, workspace } = await makeWorkspace()
    const precious = makeFolder({ 'session.jsonl': 'precious' })
    renameSync(workspace.path, `${workspace.path}.away`)
    if (swap === 'link') symlinkSync(precious, workspace.path)
    else {
      mkdirSync(workspace.path)
      writeFileSync(join(workspace.path, 'session.jsonl'), 'precious')
    }
    const changed = { code: 'WORKSPACE_CHANGED' }
    expect(() => openWorkspace(place, 'w1')).toThrow('is gone or was replaced')
    await expect(readWorkspaceFile(workspace, 'session.jsonl')).rejects.toMatchObject(changed)
    await expect(writeWorkspaceFiles(workspace, { x: '1' })).rejects.toMatchObject(changed)
    await expect(takeSnapshot(workspace)).rejects.toMatchObject(changed)
    await expect(restoreSnapshot(workspace)).rejects.toMatchObject(changed)
    await expect(removeWorkspace(place, 'w1')).rejects.toMatchObject(changed)
    expect(readFileSync(join(workspace.path, 'session.jsonl'), 'utf8')).toBe('precious')
    expect(readdirSync(precious)).toEqual(['session.jsonl'])
  }
})

test('cleaning up removes links, not what they lead to', async () => {
  const { place, workspace } = await makeWorkspace()
  const precious = makeFolder({ 'a/b': 'precious' })
  symlinkSync(precious, join(workspace.path, 'link'))
  await removeWorkspace(place, 'w1')
  expect(readFileSync(join(precious, 'a/b'), 'utf8')).toBe('precious')
})

test('a temporary folder that others can tamper with is not used', async () => {
  const base = makeFolder()
  const place = openPlace(base)
  chmodSync(place.registry, 0o777)
  expect(() => openPlace(base)).toThrow('other users can read or change it')
  chmodSync(place.registry, 0o700)
  const elsewhere = makeFolder()
  rmSync(place.root, { recursive: true })
  symlinkSync(elsewhere, place.root)
  expect(() => openPlace(base)).toThrow('it is not a folder')
  rmSync(place.root)
  chmodSync(base, 0o777)
  expect(() => openPlace(base)).toThrow('other users may replace what is in it')
  chmodSync(base, 0o1777)
  expect(openPlace(base).root).toBe(place.root)
})
