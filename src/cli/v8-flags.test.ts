import { expect, test } from 'vitest'
import { tuningFlags } from './v8-flags.js'

test('a few cases are not worth a flag', () => {
  expect(tuningFlags(999, 1, '11.3.244.8-node.36')).toEqual([])
})

test('the interrupt budget is a flag of Node 20 alone', () => {
  expect(tuningFlags(2000, 1, '11.3.244.8-node.36')).toContain('--interrupt-budget=800000')
  expect(tuningFlags(2000, 3, '11.3.244.8-node.36')).toContain('--interrupt-budget=33000')
  for (const later of ['12.4.254.21-node.57', '13.6.233.17-node.53', '14.6.202.34-node.34'])
    expect(tuningFlags(2000, 1, later)).toEqual([
      '--no-allocation-site-pretenuring',
      '--max-inlined-bytecode-size-cumulative=300',
    ])
})

test('a version that was never tried is left as it is', () => {
  expect(tuningFlags(100_000, 1, '15.0.1-node.1')).toEqual([])
})
