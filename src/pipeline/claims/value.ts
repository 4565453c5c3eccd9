// A value that a text names: an amount, a date, a name.

export interface Place {
  start: number
  end: number
}

export interface Amount {
  kind: 'number' | 'money'
  amount: number
  /** How much the last written digit is worth: 12.30 → 0.01, 1.2 million → 100,000. */
  step: number
  /** ISO code. */
  currency?: string
  unit?: { dimension: string; factor: number }
}

/** A date as far as it is written, or a time of day. */
export interface Day {
  kind: 'date'
  year?: number
  month?: number
  day?: number
  /** Day and month may be the other way round: 05/06/2024. */
  either?: true
  minutes?: number
}

export interface Name {
  kind: 'id' | 'file' | 'url' | 'quote'
  /** Written as the end of a longer one: "ending in 1234". */
  tail?: true
  name: string
}

export type Value = Amount | Day | Name
export type PlacedValue = Value & Place
