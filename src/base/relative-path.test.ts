import { isAbsolute, posix, win32 } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { partsOf, pathProblem } from './relative-path.js'

const BAD = [
  '',
  '.',
  './',
  '..',
  '../a',
  'a/..',
  'a/../b',
  '/a',
  '//a',
  'a//b',
  'a/',
  'a\\b',
  '..\\a',
  'C:a',
  'C:/a',
  './C:/a',
]
const WORSE = ['a\0b', 'a\nb', '\u007f', '\ud800', 'x'.repeat(256), 'é'.repeat(128), `${'x/'.repeat(600)}x`]

test.each([...BAD, ...WORSE])('%j is refused', (path) => expect(pathProblem(path)).toBeTruthy())

test.each(['a', './a', 'a/b', '.agent/x', '..a', 'a..b/...', '__proto__', 'con', 'ü/😀', 'x'.repeat(255)])(
  '%j is taken',
  (path) => expect(pathProblem(path)).toBeUndefined(),
)

test('what is taken stays inside on every system', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', 'a', 'C:', '\\', '/', '..\\..', '~', '\0'),
    anyText({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const path = parts.join('/')
      fc.pre(pathProblem(path) === undefined)
      expect(isAbsolute(path)).toBe(false)
      for (const { resolve, relative, isAbsolute: isAway } of [posix, win32]) {
        const root = resolve('/root/here')
        const way = relative(root, resolve(root, path))
        expect(way === '' || /^\.\.(?:[\\/]|$)/.test(way) || isAway(way), way).toBe(false)
      }
      expect(partsOf(path)).not.toContain('..')
      expect(partsOf(path).length).toBeGreaterThan(0)
    }),
    { numRuns: 3000 },
  )
})
