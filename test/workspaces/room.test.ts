// Making, opening, comparing and removing workspaces.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchpadPath } from '../../src/model/fixtures.js'
import { createWorkspace } from '../../src/workspaces/create.js'
import { describeChanges, diffFiles } from '../../src/workspaces/diff.js'
import type { Place } from '../../src/workspaces/place.js'
import { findEntry, listIds, takeEntry } from '../../src/workspaces/registry.js'
import { removeWorkspace } from '../../src/workspaces/remove.js'
import { restoreSnapshot } from '../../src/workspaces/restore.js'
import { dirtyWarnings, moveOldRun } from '../../src/workspaces/runs.js'
import { currentFiles, listSnapshots, readSnapshotFiles, takeSnapshot } from '../../src/workspaces/snapshots.js'
import { sweepWorkspaces } from '../../src/workspaces/sweep.js'
import { sizeProblem } from '../../src/workspaces/quota.js'
import { openWorkspace } from '../../src/workspaces/workspace.js'
import { makeFolder } from '../support/run-cli.js'
import { makePlace, makeWorkspace } from './support.js'

test('a workspace holds its fixtures and its scratchpad, and is known by its name', async () => {
  const place = makePlace()
  const spec = { fixtures: { 'src/main.rs': 'fn main() {}' }, scratchpad: '## Plan' }
  const { workspace, created_files } = await createWorkspace(place, 'planner_test.001', spec)
  expect(created_files).toEqual(['.agent/scratchpad.md', 'src/main.rs'])
  expect(readFileSync(join(workspace.path, '.agent/scratchpad.md'), 'utf8')).toBe('## Plan')
  expect(openWorkspace(place, 'planner_test.001')).toEqual(workspace)
  expect(listSnapshots(workspace)).toEqual(['initial'])
  await expect(createWorkspace(place, 'planner_test.001', {})).rejects.toThrow('already exists')
  expect(readdirSync(place.folders)).toHaveLength(1)
})

test('core.scratchpad moves the scratchpad, and not out of the workspace', async () => {
  const config = { core: { scratchpad: 'notes/pad.md' } }
  const { workspace } = await makeWorkspace({ scratchpad: 'x', config })
  expect(readFileSync(join(workspace.path, 'notes/pad.md'), 'utf8')).toBe('x')
  expect(scratchpadPath(config)).toBe('notes/pad.md')
  await expect(makeWorkspace({ config: { core: { scratchpad: '../pad.md' } } })).rejects.toThrow('..')
})

test('an unknown name is reported with the known ones', async () => {
  const place = makePlace()
  expect(() => openWorkspace(place, 'none')).toThrow('no workspace called "none"')
  await makeWorkspace({}, 'one', place)
  await makeWorkspace({}, 'two', place)
  expect(hintOf(() => openWorkspace(place, 'three'))).toBe('known workspaces: one, two')
})

test('after cleaning up only what is asked for remains', async () => {
  const place = makePlace()
  const { workspace } = await makeWorkspace({ fixtures: { a: '1', 'b/c': '2' } }, 'w1', place)
  writeFileSync(join(workspace.path, 'session.jsonl'), '{}\n')
  expect(await removeWorkspace(place, 'w1', { preserve_session: true })).toEqual({
    deleted: true,
    preserved_files: ['session.jsonl'],
  })
  expect(readdirSync(workspace.path)).toEqual(['session.jsonl'])
  expect(listIds(place)).toEqual([])
  expect(readdirSync(place.state)).toEqual([])
  await expect(removeWorkspace(place, 'w1')).rejects.toMatchObject({ code: 'UNKNOWN_WORKSPACE' })
  expect(readdirSync(workspace.path)).toEqual(['session.jsonl'])
})

test('a link is not a session', async () => {
  const { place, workspace } = await makeWorkspace()
  const precious = makeFolder({ x: 'precious' })
  symlinkSync(join(precious, 'x'), join(workspace.path, 'session.jsonl'))
  const removed = await removeWorkspace(place, 'w1', { preserve_session: true })
  expect(removed.preserved_files).toEqual([])
  expect(existsSync(workspace.path)).toBe(false)
  expect(readFileSync(join(precious, 'x'), 'utf8')).toBe('precious')
})

test('of many who remove one workspace exactly one succeeds', async () => {
  const { place, workspace } = await makeWorkspace({ fixtures: { a: '1' } })
  const ended = await Promise.allSettled(Array.from({ length: 20 }, () => removeWorkspace(place, 'w1')))
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(existsSync(workspace.path)).toBe(false)
  expect(readdirSync(place.registry)).toEqual([])
})

test('of many who make one workspace exactly one succeeds', async () => {
  const place = makePlace()
  const ended = await Promise.allSettled(Array.from({ length: 20 }, () => createWorkspace(place, 'w1', {})))
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(readdirSync(place.folders)).toHaveLength(1)
  expect(readdirSync(place.state)).toHaveLength(1)
  expect(readdirSync(place.registry)).toEqual(['w1.json'])
})

test('a name that was given away again is not taken with the old one', async () => {
  const place = makePlace()
  await makeWorkspace({}, 'w1', place)
  const old = findEntry(place, 'w1')
  await removeWorkspace(place, 'w1')
  const { workspace } = await makeWorkspace({}, 'w1', place)
  expect(old && takeEntry(place, old)).toBeUndefined()
  expect(openWorkspace(place, 'w1').path).toBe(workspace.path)
})

test('snapshots and diffs: lines with their numbers, binary files by hash', async () => {
  const lines = Array.from({ length: 30 }, (_none, index) => `line ${index + 1}`)
  const { workspace } = await makeWorkspace({ fixtures: { 'a.txt': lines.join('\n'), gone: 'x\n', same: '1' } })
  writeFileSync(join(workspace.path, 'a.txt'), lines.with(19, 'changed').join('\n'))
  writeFileSync(join(workspace.path, 'bin'), Buffer.from([0, 1]))
  writeFileSync(join(workspace.path, 'new'), 'one\ntwo\n')
  writeFileSync(join(workspace.path, 'session.jsonl'), '{}')
  rmSync(join(workspace.path, 'gone'))
  const { snapshot_id, file_count } = await takeSnapshot(workspace)
  expect([snapshot_id, file_count]).toEqual(['snap_w1_001', 4])
  const diff = diffFiles(readSnapshotFiles(workspace, 'initial'), readSnapshotFiles(workspace, snapshot_id))
  expect(diff).toMatchObject({ changed_files: ['a.txt'], added_files: ['bin', 'new'], deleted_files: ['gone'] })
  expect(diff.diffs['a.txt']).toMatchObject({ additions: 1, deletions: 1 })
  expect(diff.diffs['a.txt']?.hunks[0]).toMatchObject({ start: 17, end: 23, old_start: 17, old_end: 23 })
  expect(diff.diffs['a.txt']?.hunks[0]?.content).toContain('-line 20\n+changed')
  expect(diff.diffs['new']).toMatchObject({ additions: 2, deletions: 0, hunks: [{ start: 1, end: 2 }] })
  expect(diff.diffs['gone']).toMatchObject({ additions: 0, deletions: 1 })
  expect(diff.diffs['bin']).toEqual({ additions: 0, deletions: 0, hunks: [], replaced: true })
  writeFileSync(join(workspace.path, 'bin'), Buffer.from([0, 2]))
  expect(diffFiles(readSnapshotFiles(workspace, snapshot_id), await currentFiles(workspace, {})).changed_files).toEqual(
    ['bin'],
  )
})

test('snapshots take what the globs say', async () => {
  const { workspace } = await makeWorkspace({
    fixtures: { 'src/a.ts': '', 'src/b.js': '', 'src/deep/c.ts': '', 'd.ts': '' },
  })
  const paths = async (init: object): Promise<string[]> => Object.keys((await takeSnapshot(workspace, init)).files)
  expect(await paths({ include_patterns: ['src/**/*.ts'] })).toEqual(['src/a.ts', 'src/deep/c.ts'])
  expect(await paths({ exclude_patterns: ['src/**'] })).toEqual(['d.ts'])
  expect(await paths({ include_patterns: ['src/*'], exclude_patterns: ['*.js', '**/*.js'] })).toEqual(['src/a.ts'])
  await expect(takeSnapshot(workspace, { snapshot_id: 'current' })).rejects.toThrow('cannot be called "current"')
  await expect(takeSnapshot(workspace, { snapshot_id: '../x' })).rejects.toMatchObject({ code: 'BAD_NAME' })
  expect(hintOf(() => readSnapshotFiles(workspace, 'nope'))).toContain('known snapshots: initial, snap_w1_001')
})

test('a result line has room for so much of the changes', () => {
  const before = { a: { text: 'x\n'.repeat(5) } }
  const after = { a: { text: 'y\n'.repeat(5) }, b: { text: '' }, c: { text: '' } }
  const { changes, left_out } = describeChanges(before, after, { files: 2, characters: 20 })
  expect(changes.map(({ path, change }) => [path, change])).toEqual([
    ['a', 'changed'],
    ['b', 'added'],
  ])
  expect(changes[0]).toMatchObject({ additions: 5, deletions: 5 })
  expect(changes[0]?.diff).toBe('@@ -1,5 +1,5 @@\n-x\n-…')
  expect(left_out).toBe(1)
})

test('a second run has files of its own and a word about the first; restoring takes the workspace back', async () => {
  const { workspace } = await makeWorkspace({ fixtures: { 'a/b': '1', c: '2' }, scratchpad: 'plan' })
  expect(await dirtyWarnings(workspace)).toEqual([])
  const at = (path: string): string => join(workspace.path, path)
  for (const run of ['first', 'second']) {
    writeFileSync(at('session.jsonl'), run)
    writeFileSync(at('.agent/events.jsonl'), run)
    await moveOldRun(workspace)
  }
  expect(readFileSync(at('sessions/session-001.jsonl'), 'utf8')).toBe('first')
  expect(readFileSync(at('sessions/session-002.jsonl'), 'utf8')).toBe('second')
  expect(readFileSync(at('.agent/events-002.jsonl'), 'utf8')).toBe('second')
  expect(await dirtyWarnings(workspace)).toEqual([])
  rmSync(at('a'), { recursive: true })
  writeFileSync(at('a'), 'a file now')
  mkdirSync(at('d'))
  writeFileSync(at('d/e'), 'new')
  rmSync(at('c'))
  mkdirSync(at('c'))
  expect((await dirtyWarnings(workspace))[0]).toContain('is not as it was set up (a, a/b, c, d/e)')
  await restoreSnapshot(workspace)
  expect(await dirtyWarnings(workspace)).toEqual([])
  expect(readFileSync(at('a/b'), 'utf8')).toBe('1')
  expect(readFileSync(at('sessions/session-001.jsonl'), 'utf8')).toBe('first')
})

test('too much in a workspace is reported', async () => {
  const { workspace } = await makeWorkspace({ fixtures: { a: 'x'.repeat(2000) } })
  expect(await sizeProblem(workspace, 2000)).toBeUndefined()
  expect((await sizeProblem(workspace, 1999))?.message).toContain('the workspace is too large')
})

test('only what is stale, ours and unused is swept', async () => {
  const place = makePlace()
  const make = async (id: string): Promise<string> =>
    (await makeWorkspace({ fixtures: { a: '1' } }, id, place)).workspace.path
  const paths = Object.fromEntries(
    await Promise.all(
      ['young', 'used', 'replaced', 'linked', 'moved', 'stale'].map(async (id) => [id, await make(id)] as const),
    ),
  )
  const precious = makeFolder({ a: 'precious' })
  const swap = (id: string, make: (path: string) => void): void => {
    const path = paths[id] ?? ''
    rmSync(path, { recursive: true })
    make(path)
  }
  swap('replaced', (path) => {
    mkdirSync(path)
    writeFileSync(join(path, 'a'), 'theirs')
  })
  swap('linked', (path) => symlinkSync(precious, path))
  // An entry whose path leads elsewhere.
  const moved = findEntry(place, 'moved')
  writeFileSync(join(place.registry, 'moved.json'), JSON.stringify({ format: 1, ...moved, path: precious }))
  // Looks like one of ours, and is in no registry.
  mkdirSync(join(place.folders, 'lookalike-AbCdEf'))
  writeFileSync(join(place.registry, 'broken.json'), '{')
  for (const id of ['young', 'replaced', 'linked', 'moved', 'stale']) endUsers(place, id)
  for (const id of ['used', 'replaced', 'linked', 'moved', 'stale', 'broken']) makeOld(place, id)

  expect(await sweepWorkspaces(place)).toEqual(['stale'])
  expect(existsSync(paths['stale'] ?? '')).toBe(false)
  expect(readFileSync(join(paths['replaced'] ?? '', 'a'), 'utf8')).toBe('theirs')
  expect(readFileSync(join(precious, 'a'), 'utf8')).toBe('precious')
  for (const id of ['young', 'used', 'moved']) expect(readFileSync(join(paths[id] ?? '', 'a'), 'utf8')).toBe('1')
  expect(existsSync(join(place.folders, 'lookalike-AbCdEf'))).toBe(true)
  expect(listIds(place)).toEqual(['broken', 'linked', 'moved', 'replaced', 'used', 'young'])
})

test('what a killed process was removing is removed a day later', async () => {
  const { place, workspace } = await makeWorkspace({ fixtures: { a: '1' } })
  endUsers(place, 'w1')
  const entry = findEntry(place, 'w1')
  if (entry) takeEntry(place, entry)
  expect(await sweepWorkspaces(place)).toEqual([])
  for (const name of readdirSync(place.registry)) utimesSync(join(place.registry, name), 0, 0)
  expect(await sweepWorkspaces(place)).toEqual(['w1'])
  expect(existsSync(workspace.path)).toBe(false)
  expect([readdirSync(place.registry), readdirSync(place.state), readdirSync(place.folders)]).toEqual([[], [], []])
})

/** As if every process that used it had ended. */
function endUsers(place: Place, id: string): void {
  const { token } = findEntry(place, id) ?? { token: 'none' }
  const users = join(place.state, token, 'users')
  for (const name of readdirSync(users)) {
    const holder = JSON.parse(readFileSync(join(users, name), 'utf8')) as object
    writeFileSync(join(users, name), JSON.stringify({ ...holder, process_start: '1' }))
  }
}

function makeOld(place: Place, id: string): void {
  utimesSync(join(place.registry, `${id}.json`), 0, 0)
}

function hintOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return (error as { hint?: string }).hint
  }
  throw new Error('nothing was thrown')
}
