// One sentence on what to do next, from what made most cases fail.
import { isMissingInput } from '../../model/missing-input.js'
import type { ErrorKind } from '../../model/outcome.js'

/** Finer than the kind of error where one kind has two remedies. */
export type Cause = ErrorKind | 'missing_input' | 'undetermined'

export function causeOf(kind: ErrorKind, error: string | undefined): Cause {
  return kind === 'input' && isMissingInput(error) ? 'missing_input' : kind
}

export function suggestionFor(failed: Partial<Record<Cause, number>>): string | undefined {
  const count = (cause: Cause): number => failed[cause] ?? 0
  const [most] = CAUSES.toSorted((a, b) => count(b) - count(a))
  return most !== undefined && count(most) > 0 ? ADVICE[most] : undefined
}

// Of two that are as frequent, the first: a failed assertion is worth more attention than the rest.
const ADVICE: Record<Cause, string> = {
  assertion: 'Some assertions failed. Re-run with --json to inspect trace details.',
  timeout: 'Some tests timed out. Consider increasing --timeout or checking agent responsiveness.',
  agent:
    'The agent failed or could not be reached. Its errors are in the results; check its connector and credentials.',
  crashed: 'A process ended before giving a verdict. Its last output is in the results.',
  script: 'A script threw an error. The stack in the results points at its line.',
  hook: 'A hook failed before its case could run. Its error is in the results.',
  simulator: 'The simulated user failed, not the agent. Check the simulator agent and its connector.',
  validator: 'A judge gave no verdict. Check the validator agent and its connector.',
  undetermined: 'Some pass rates are too near the threshold to tell. Raise --max-runs, or move --threshold.',
  missing_input: 'Some conversations had no next input. Add turns, configure a simulator, or use --interactive.',
  input: 'Some cases could not be used as written. Their errors name the file and the field.',
}
const CAUSES = Object.keys(ADVICE) as Cause[]
