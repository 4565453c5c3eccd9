// Text of any characters for properties. fast-check's own `unit: 'binary'` spends a second on its table of characters.
import * as fc from 'fast-check'

const SURROGATES = 0xd8_00
const SURROGATE_COUNT = 0x8_00

const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xff_ff), fc.nat(0x10_ff_ff - SURROGATE_COUNT))
  .map((n) => String.fromCodePoint(n < SURROGATES ? n : Math.min(n + SURROGATE_COUNT, 0x10_ff_ff)))

export function anyText(limits: { maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...limits, unit: character })
}
