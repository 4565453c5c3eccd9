import { expect, test } from 'vitest'
import { parsePercent } from './parse-percent.js'

test.each([
  ['80', 80],
  ['80%', 80],
  ['0.8', 80],
  ['0.07', 7],
  ['0.5%', 0.5],
  ['1', 1],
  ['0', 0],
  ['100', 100],
])('%s is %d percent', (text, percent) => expect(parsePercent(text)).toBe(percent))

test.each(['', '%', 'x', 'Infinity', '5%%', '1 2'])('%j is none', (text) => expect(parsePercent(text)).toBeNaN())
