// What lint found: plain data, the same for every format of the report.

export type Severity = 'error' | 'warning' | 'note'

export interface Place {
  file?: string
  line?: number
  column?: number
  /** What it is about if no line says so: `tool "find"`. */
  about?: string
}

/** What a rule found, before it is known what the rule is called. */
export interface Found extends Place {
  message: string
  /** What to do here, if the fix of the rule is not precise enough. */
  fix?: string
}

export interface Finding extends Place {
  rule: string
  severity: Severity
  /** The skill, server or package, as it was named. */
  subject: string
  message: string
  reason: string
  fix: string
}
