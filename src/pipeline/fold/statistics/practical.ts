// When is a time or a cost called different? Beyond chance, and by enough to matter: the same machine is not always
// equally fast, and with enough runs even the smallest difference becomes significant.

/** `slight`: beyond chance, but too little to matter. */
export type PracticalVerdict = 'worse' | 'better' | 'slight' | 'unchanged'

/** Percent; the default of `--practical`. */
export const PRACTICAL = 5

export interface TestedRatio {
  p_value: number
  /** After divided by before. */
  ratio: number
}

export function practicalVerdict({ p_value, ratio }: TestedRatio, level: number, practical: number): PracticalVerdict {
  if (p_value >= level || ratio === 1) return 'unchanged'
  // Symmetric in both directions: 5% more and then 1/1.05 of it is where it was.
  if (Math.abs(Math.log(ratio)) < Math.log1p(practical / 100)) return 'slight'
  return ratio > 1 ? 'worse' : 'better'
}
