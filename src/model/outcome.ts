// How a case can end.

export type Status = 'passed' | 'failed' | 'skipped'

export type ErrorKind =
  | 'assertion'
  | 'timeout'
  | 'agent'
  | 'script'
  | 'hook'
  | 'simulator'
  | 'validator'
  | 'input'
  | 'crashed'
