// How sure a rule of blame is, by its kind. Set by judgement, then held against the 30 failures of `test/blame/other-failures.ts`,
// which were built after the rules: 10 of 10, 10 of 10, 3 of 3 and 4 of 7 were right. Too few for a figure for each rule.

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
