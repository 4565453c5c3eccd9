// What an assertion is as written in a case, and the verdict it gives.

/** One form behind the border: a bare string, `assert`/`assertions`, `pattern`, `args` … are normalised at load. */
export interface AssertionSpec {
  type: string
  value?: unknown
  path?: string
  message?: string
  negate?: boolean
  label?: string
  weight?: number
  [key: string]: unknown
}

export interface AssertionResult {
  type: string
  passed: boolean
  /** Echo of the parameters that identify it (`value`, `name`, `path`, …), so that a result line stands alone. */
  value?: unknown
  name?: unknown
  path?: string
  label?: string
  expected?: unknown
  actual?: unknown
  message?: string
  /** A unified or character diff, where both sides are long. */
  diff?: string
  score?: number
  weight?: number
  duration_ms?: number
  /** The check could not be carried out: never a pass, never an ordinary failure. */
  error?: string
  /** Whose fault `error` is. */
  error_kind?: 'validator' | 'script' | 'input'
  /** Parts of `all`, `any`, `none`; votes of a judge. */
  parts?: AssertionResult[]
  [key: string]: unknown
}
