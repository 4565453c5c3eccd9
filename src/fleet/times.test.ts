import { expect, test } from 'vitest'
import { lockMs } from './times.js'

test('a large fleet has more time to renew its jobs', () => {
  expect([1, 8, 6000, 1_000_000].map(lockMs)).toEqual([5_005, 5_040, 35_000, 60_000])
})
