// The ways to change a case. A new one is a file, a line here and a row in the test.
import type { Operator } from './operator.js'
import { additions } from './operators/additions.js'
import { injection } from './operators/injection.js'
import { letterCase } from './operators/letter-case.js'
import { order } from './operators/order.js'
import { politeness } from './operators/politeness.js'
import { spacing } from './operators/spacing.js'
import { typos } from './operators/typos.js'
import { unicode } from './operators/unicode.js'

export const OPERATORS: readonly Operator[] = [
  typos,
  letterCase,
  spacing,
  unicode,
  politeness,
  additions,
  order,
  injection,
]
