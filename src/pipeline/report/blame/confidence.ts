// How sure a rule of blame is, by its kind: (right + 1) / (all + 2), rounded, of the failures in `test/blame/other-failures.ts`,
// which were built after the rules. They are too few for a figure for each rule.

export const CONFIDENCES = {
  /** The record shows it. */
  shown: 0.95,
  /** What was said or done speaks against somebody. */
  sign: 0.9,
  /** It may be otherwise. */
  hint: 0.75,
  /** Nothing speaks against anybody else. */
  rest: 0.6,
} as const

export type Strength = keyof typeof CONFIDENCES
