// Why an orchestrator run ended, and the exit code each reason means.

export const TERMINATION_EXIT_CODES = {
  CompletionPromise: 0,
  Cancelled: 0,
  MockExhausted: 0,
  ConsecutiveFailures: 1,
  LoopThrashing: 1,
  LoopStale: 1,
  ValidationFailure: 1,
  Stopped: 1,
  NoPendingEvents: 1,
  Error: 1,
  MaxIterations: 2,
  MaxRuntime: 2,
  MaxCost: 2,
  Interrupted: 130,
} as const

export type TerminationReason = keyof typeof TERMINATION_EXIT_CODES

/** `MaxIterations` for `max_iterations` and for itself; undefined for a word that is not a reason. */
export function findReason(text: string): TerminationReason | undefined {
  const plain = text.replaceAll('_', '').toLowerCase()
  return REASONS.find((reason) => reason.toLowerCase() === plain)
}

export const REASONS = Object.keys(TERMINATION_EXIT_CODES) as TerminationReason[]
