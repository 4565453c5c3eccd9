// What a worker reports about snapshots is accepted only if it can be true of its case.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRedactor } from '../redact/redactor.js'
import { SnapshotStore } from './store.js'

function open(update: boolean): { store: SnapshotStore; root: string; folder: string } {
  const root = mkdtempSync(join(tmpdir(), 'viva-notes-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'snapshots', 'cases')
  const secrets = createRedactor({ env: { MODEL_API_KEY: 'sk-of-the-coordinator-1' } })
  const store = new SnapshotStore({
    folder,
    root,
    update,
    before: new Map(),
    keepPending: true,
    secrets,
    redactions: {},
    key: undefined,
  })
  return { store, root, folder }
}

test('names that lead out, are of another case or of no snapshot are refused, and nothing is written', () => {
  const { store, root } = open(true)
  const names = [
    '../S1.x.snap',
    'S1.../x.snap',
    'S1./../../x.snap',
    'S2.answer.snap',
    'S1.answer.txt',
    'S1..snap\0',
    '.snap',
  ]
  for (const name of [...names, 'workspace/../x.snap', 'workspace/.snap', '', 7])
    expect(store.take({ name, state: 'written', content: 'x' }, 'S1'), String(name)).toContain('an unexpected shape')
  for (const note of [null, 'x', { name: 'S1.a.snap' }, { name: 'S1.a.snap', state: 'evil' }])
    expect(store.take(note, 'S1')).toContain('an unexpected shape')
  expect(readdirSync(root)).toEqual([])
})

test('the first answer is kept, secrets are hidden, and nothing is accepted unless asked for', () => {
  const { store, folder } = open(true)
  const accept = (content: string): string | undefined =>
    store.take({ name: 'workspace/shared.snap', state: 'written', content }, 'S1')
  expect(accept('one sk-of-the-coordinator-1')).toBeUndefined()
  expect(accept('one sk-of-the-coordinator-1')).toBeUndefined()
  expect(accept('two')).toContain('accepted with two answers')
  expect(readFileSync(join(folder, 'workspace/shared.snap'), 'utf8')).toBe('one [SECRET]\n')

  const asked = open(false)
  expect(asked.store.take({ name: 'S1.a.snap', state: 'written', content: 'x' }, 'S1')).toContain('must not be written')
  expect(asked.store.take({ name: 'S1.a.snap', state: 'different', content: 'x' }, 'S1')).toBeUndefined()
  expect(existsSync(join(asked.folder, 'S1.a.snap'))).toBe(false)
  expect(asked.store.counts(false)).toEqual({ pending: 1 })
})
