import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { conformanceRows } from '../../test/support/conformance.js'
import { DURATION } from '../model/case-schema-base.js'
import { formatDuration, parseDuration } from './duration.js'

test.each([
  ['30s', 30_000],
  ['2m', 120_000],
  ['1h30m', 5_400_000],
  ['500ms', 500],
  ['1h15m30.5s', 4_530_500],
  ['.5s', 500],
  ['1.s', 1000],
  ['+5s', 5000],
  ['1000us', 1],
  ['1000µs', 1],
  ['1000μs', 1],
  ['1000000ns', 1],
  ['720h', 2_592_000_000],
])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBeCloseTo(ms, 6))

test.each([
  ['30d', 'unknown unit "d"'],
  ['-5s', 'must be positive'],
  ['0s', 'must be positive'],
  ['0', 'must be positive'],
  ['NaNs', 'bad duration'],
  ['', 'bad duration'],
  ['+', 'bad duration'],
  ['30', 'a number needs a unit'],
  ['1.5.5s', 'bad duration'],
  ['5 s', 'bad duration'],
  ['s', 'bad duration'],
  ['constructor', 'bad duration'],
  ['1constructor', 'unknown unit "constructor"'],
  [`${'9'.repeat(400)}h`, 'longer than 292 years'],
])('%s is refused: %s', (text, message) => expect(() => parseDuration(text)).toThrow(message))

test.each([
  [0, '0ms'],
  [234, '234ms'],
  [0.4, '0ms'],
  [850.4, '850ms'],
  [999.6, '1.0s'],
  [1000, '1.0s'],
  [2700, '2.7s'],
  [59_940, '59.9s'],
  [59_960, '1.0m'],
  [60_000, '1.0m'],
  [125_000, '2.1m'],
  [3_599_999, '1.0h'],
  [5_400_000, '1.5h'],
])('%d ms is shown as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test.each([...conformanceRows('env_timeout', 'timeout')])(
  'conformance: timeout $name',
  ({ given, expect: expected }) => {
    expect(parseDuration(String(given['timeout']))).toBe(expected['ms'])
  },
)

test.each([...conformanceRows('report', 'format_duration')])('conformance: $name', ({ given, expect: expected }) => {
  expect(formatDuration(Number(given['ms']))).toBe(expected['text'])
})

const part = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom('ms', 's', 'm', 'h'))

test('a duration is the sum of its parts', () => {
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = parts.reduce((total, [count, name]) => total + count * unit[name], 0)
      expect(parseDuration(parts.map(([count, name]) => `${count}${name}`).join(''))).toBeCloseTo(sum, 3)
    }),
  )
})

test('the pattern of the schema and the parser accept the same strings', () => {
  const piece = fc.constantFrom('1', '0', '.', 's', 'm', 'ms', 'h', 'd', '-', '+', ' ', 'µs', '30', 'x')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      // Beyond Go's longest duration, which no pattern can tell.
      fc.pre(!/\d{6}/.test(text))
      let accepted = true
      try {
        parseDuration(text)
      } catch {
        accepted = false
      }
      expect(DURATION.test(text), text).toBe(accepted)
    }),
    { numRuns: 2000 },
  )
})
