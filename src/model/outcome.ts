// How a case can end.

export const STATUSES = ['passed', 'failed', 'skipped'] as const

export type Status = (typeof STATUSES)[number]

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
