// How a case can end.

export const STATUSES = ['passed', 'failed', 'skipped'] as const

export type Status = (typeof STATUSES)[number]

/** Of a case over all its runs: `--runs auto` may end before its pass rate is known to be high or low enough. */
export const CASE_STATUSES = [...STATUSES, 'undetermined'] as const

export type CaseStatus = (typeof CASE_STATUSES)[number]

/** Why a case failed; `assertion` is the only one that says something about the answer. */
export const ERROR_KINDS = [
  'assertion',
  'timeout',
  'agent',
  'script',
  'hook',
  'simulator',
  'validator',
  'input',
  'crashed',
] as const

export type ErrorKind = (typeof ERROR_KINDS)[number]
