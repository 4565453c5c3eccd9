import { closeSync, existsSync, openSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/support/run-cli.js'
import { liesInside } from './opened-path.js'

test.skipIf(!existsSync('/proc/self/fd'))('says where a file opened through a link really is', () => {
  const root = makeFolder({ 'a/b.txt': 'in' })
  const elsewhere = makeFolder({ 'b.txt': 'out' })
  symlinkSync(elsewhere, join(root, 'led'))
  symlinkSync(join(root, 'a'), join(root, 'within'))
  const at = (path: string): boolean | undefined => {
    const fd = openSync(join(root, path), 'r')
    try {
      return liesInside(fd, root)
    } finally {
      closeSync(fd)
    }
  }
  expect([at('a/b.txt'), at('within/b.txt'), at('led/b.txt')]).toEqual([true, true, false])
})
