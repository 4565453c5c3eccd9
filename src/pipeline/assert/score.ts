// The score of a graded case: the share of the weights that passed, computed in decimals, so that 0.1 + 0.2 is 0.3.
import type { AssertionResult } from '../../model/assertion.js'

export interface Score {
  /** 0–1; 0 if no assertion has any weight: nothing was shown. */
  score: number
  reaches(min: number): boolean
}

export function scoreOf(results: readonly AssertionResult[]): Score {
  const weights = results.map((result) => decimalOf(result.weight ?? 1))
  const places = Math.max(0, ...weights.map((weight) => weight.places))
  let passed = 0n
  let total = 0n
  for (const [index, result] of results.entries()) {
    const weight = scaled(weights[index], places)
    total += weight
    if (result.passed) passed += weight
  }
  return {
    score: total === 0n ? 0 : Number(passed) / Number(total),
    reaches(min) {
      const wanted = decimalOf(min)
      return total > 0n && passed * 10n ** BigInt(wanted.places) >= wanted.digits * total
    },
  }
}

/** `digits` × 10^-places. */
interface Decimal {
  digits: bigint
  places: number
}

/** The number as a person would write it: the shortest decimal that means this number. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const digits = BigInt(mantissa.replace('.', ''))
  const places = (mantissa.split('.')[1]?.length ?? 0) - Number(exponent)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}

function scaled(decimal: Decimal | undefined, places: number): bigint {
  return decimal === undefined ? 0n : decimal.digits * 10n ** BigInt(places - decimal.places)
}
