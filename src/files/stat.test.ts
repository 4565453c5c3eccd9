import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { statOf } from './stat.js'

const here = fileURLToPath(import.meta.url)

test('what exists is reported', () => expect(statOf(here)?.isFile()).toBe(true))

test.each([[`${here}.not`], [`${here}/below-a-file`], ['x'.repeat(5000)], ['a\0b']])('nothing is there (%#)', (path) =>
  expect(statOf(path)).toBeUndefined(),
)
