// What a case says about a check, what is known about the answer, and what a check finds.

/** `options.metadata` of the assertion; `type` is the name of the check. */
export interface Settings {
  type: string
  value?: unknown
  /** JSON Schema, draft 7. */
  schema?: unknown
  threshold?: number
  /** It must not hold. */
  not?: boolean
  /** JavaScript, each applied to what the one before it gave. */
  transforms?: string[]
  /** An answer that is JSON is checked as data. */
  json?: boolean
  /** `context.config` of JavaScript and Python. */
  config?: Record<string, unknown>
  /** Of Python: a file below the application root, and the function in it. */
  file?: string
  name?: string
  /** In a set. */
  weight?: number
  /** The members of a set. */
  assert?: Settings[]
}

export interface Evidence {
  metadata?: Record<string, unknown>
  finish_reason?: unknown
}

/** What is known when an answer is checked. */
export interface Known {
  evidence: Evidence
  /** The text of files that settings name, as it was before the first case. */
  sources?: Record<string, string>
}

export interface Found {
  pass: boolean
  score?: number
  reason?: string
}

export interface Verdict extends Found {
  expected?: unknown
  actual?: unknown
}
