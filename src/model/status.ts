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

/** Did the run say anything about the answer? A skipped run, or one that broke down along the way, did not. */
export function hasVerdict({ status, error_kind }: { status: Status; error_kind?: ErrorKind | undefined }): boolean {
  return status === 'passed' || (status === 'failed' && (error_kind ?? 'assertion') === 'assertion')
}

/** `author`: `skip` in the case. `not_shown`: nobody chose it, so the run is not green. `variant`: it is not for this variant. */
export const SKIPPED_BY = ['author', 'not_shown', 'variant'] as const

export type SkippedBy = (typeof SKIPPED_BY)[number]

/** As reports list a case: skipped ones that nobody chose to skip stand apart. */
export type ListedStatus = CaseStatus | 'not_shown'

export function isNotShown({ skipped_by }: { skipped_by?: SkippedBy | undefined }): boolean {
  return skipped_by === 'not_shown'
}

/** A case that only other variants have: it counts for none of them where they are compared. */
export function isLeftOut({ skipped_by }: { skipped_by?: SkippedBy | undefined }): boolean {
  return skipped_by === 'variant'
}

/** What an import could not carry over never ran: `skip` tells it from a case that was withheld or lost its simulator. */
interface SkippedRun {
  skipped_by?: SkippedBy
  skip?: boolean
  error_kind?: ErrorKind
}

/** The agent kept the run from being shown; with several runs that counts as not passed. A simulator's error does not. */
export function isWithheld(run: SkippedRun): boolean {
  return isNotShown(run) && run.error_kind === undefined && run.skip !== true
}

/** Another try may help. */
export const TRANSIENT_CODES = ['timeout', 'rate_limit', 'overloaded', 'server', 'connection', 'cut_off'] as const

/** Why a call to an agent, model or tool server failed. */
export const AGENT_ERROR_CODES = [
  ...TRANSIENT_CODES,
  'bad_response',
  'too_large',
  'auth',
  'quota',
  'not_found',
  'bad_request',
  'crashed',
  // The process ended while others shared it: running each alone shows which one ended it.
  'lost',
  // Not called: the endpoint had refused too many calls in a row.
  'stopped',
  'exhausted',
  'config',
  'failed',
] as const
