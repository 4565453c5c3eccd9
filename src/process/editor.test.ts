import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findEditor } from './editor.js'

function installed(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-editors-'))
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

const PATH = installed('code', 'vim', 'subl', 'notes')
const nameOf = (env: NodeJS.ProcessEnv) => findEditor({ PATH, ...env }, '/')?.name

test('the one that was named for it, else one with a window, else one that is installed', () => {
  expect(nameOf({ VIVA_EDITOR: 'notes --new-window', VISUAL: 'code' })).toBe('notes')
  expect(nameOf({ VISUAL: 'subl -w' })).toBe('subl')
  expect(nameOf({ EDITOR: 'subl' })).toBe('subl')
  expect(nameOf({})).toBe('code')
})

test('an editor for the terminal is not opened from a page, nor is one that is not there', () => {
  expect(nameOf({ EDITOR: 'vim' })).toBe('code')
  expect(nameOf({ VIVA_EDITOR: 'missing' })).toBeUndefined()
  expect(findEditor({ PATH: installed('vim'), EDITOR: 'vim' }, '/')).toBeUndefined()
})
