// What is pure about revisions: ranges as git reads them, and which part of a setup only installs packages.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UserError } from '../errors.js'
import { parseRange } from './parse-range.js'
import { splitInstall } from './set-up.js'

test.each([
  ['main..HEAD', false, ['main', 'HEAD', false]],
  ['main...topic/x', false, ['main', 'topic/x', true]],
  ['main..', false, ['main', 'HEAD', false]],
  ['..topic', false, ['HEAD', 'topic', false]],
  ['v1.0..v1.1', false, ['v1.0', 'v1.1', false]],
  ['HEAD~2', true, ['HEAD~2', undefined, false]],
])('%s, working tree: %s', (text, worktree, expected) => {
  const { left, right, fromMergeBase } = parseRange(text, worktree)
  expect([left, right, fromMergeBase]).toEqual(expected)
})

test.each([
  ['main', false],
  ['main..HEAD', true],
  ['a....b', false],
  ['-x..main', false],
  ['main..--exec=x', false],
  ['main..a b', false],
  ['main..a\nb', false],
])('%s, working tree: %s is refused', (text, worktree) => {
  expect(() => parseRange(text, worktree)).toThrow(UserError)
})

test('no side of a range is ever an option of git', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('..', '...'), fc.string(), (left, dots, right) => {
      try {
        const range = parseRange(`${left}${dots}${right}`, false)
        expect(range.left).toMatch(/^[^-\s]/)
        expect(range.right).toMatch(/^[^-\s]/)
      } catch (error) {
        expect(error).toBeInstanceOf(UserError)
      }
    }),
  )
})

test.each([
  ['npm ci && npm run build', 'npm ci', 'npm run build'],
  ['npm ci', 'npm ci', ''],
  [
    'npm ci --offline --no-audit && pnpm install --frozen-lockfile && tsc',
    'npm ci --offline --no-audit && pnpm install --frozen-lockfile',
    'tsc',
  ],
  ['npm run build', '', 'npm run build'],
  // Whatever is more than an installation is not one.
  ['npm ci; npm run build', '', 'npm ci; npm run build'],
  ['npm ci || true && x', '', 'npm ci || true && x'],
  ['cd app && npm ci', '', 'cd app && npm ci'],
  ['npm install left-pad', '', 'npm install left-pad'],
  ['npm ci > log && x', '', 'npm ci > log && x'],
])('%s', (command, install, rest) => {
  expect(splitInstall(command)).toEqual({ install, rest })
})
