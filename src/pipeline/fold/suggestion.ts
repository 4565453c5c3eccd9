// One sentence on what to do next, from what made most cases fail.
import { SEE_DETAILS } from '../../model/see-details.js'
import { isMissingInput } from '../../model/missing-input.js'
import type { ErrorKind } from '../../model/status.js'
import { NO_SNAPSHOT } from '../../model/snapshot.js'

/** Finer than the kind of error if one kind has several remedies. */
export type Cause =
  | ErrorKind
  | 'missing_input'
  | 'lost_in_import'
  | 'snapshot'
  | 'undetermined'
  | 'sometimes'
  | 'max_turns'
  | 'unreachable'
  | 'denied'
  | 'limited'
  | 'mismatch'

/** `sometimes`: other runs of the case passed. */
export function causeOf(kind: ErrorKind, error = '', sometimes = false): Cause {
  if (kind === 'input' && error.includes(NO_SNAPSHOT)) return 'snapshot'
  if (kind === 'input') return isMissingInput(error) ? 'missing_input' : kind
  if (kind === 'agent') return TOLD_BY_AGENTS.find(([words]) => words.test(error))?.[1] ?? kind
  if (kind !== 'assertion') return kind
  if (/^max turns \(\d+\) exceeded/.test(error)) return 'max_turns'
  return sometimes ? 'sometimes' : kind
}

// As our own error messages say it; the rest of the text is the provider's.
const TOLD_BY_AGENTS: ReadonlyArray<[words: RegExp, cause: Cause]> = [
  [/Replay mismatch/, 'mismatch'],
  [/^(?:agent error: )?cannot reach /, 'unreachable'],
  [/\(HTTP 40[13] from /, 'denied'],
  [/\(HTTP 429 from /, 'limited'],
]

export function suggestionFor(failed: Partial<Record<Cause, number>>): string | undefined {
  const count = (cause: Cause): number => failed[cause] ?? 0
  const [most] = CAUSES.toSorted((a, b) => count(b) - count(a))
  return most !== undefined && count(most) > 0 ? ADVICE[most] : undefined
}

// If two are equally frequent, the first: a failed assertion deserves more attention than the rest.
const ADVICE: Record<Cause, string> = {
  assertion: SEE_DETAILS,
  timeout: 'Some tests timed out. Consider increasing --timeout or checking agent responsiveness.',
  sometimes: 'Some cases pass in only some of their runs. Compare those runs; --min-pass-rate says how many must pass.',
  max_turns: 'Some conversations ran out of turns. Check where they go round in circles, or raise max_turns.',
  agent: 'The agent failed. Its error is in the results: viva view FILE shows it.',
  unreachable: 'The agent could not be reached. Check that it is running, and the address of its connector or target.',
  denied: 'The provider refused the credentials. Check the key of the connector and what it may be used for.',
  limited: 'The provider limited the requests. Lower --parallel, or set the limit of the connector.',
  mismatch: 'Some requests differ from the recording. See what changed; --record-new records them again.',
  crashed: 'A process ended before giving a verdict. Its last output is in the results.',
  script: 'A script threw an error. The stack in the results points at its line.',
  hook: 'A hook failed before its case could run. Its error is in the results.',
  simulator: 'The simulated user failed, not the agent. Check the simulator agent and its connector.',
  validator: 'A judge gave no verdict. Check the judge and its model (helpers.connector).',
  undetermined: 'Some pass rates are too near the threshold to tell. Raise --max-runs, or move --threshold.',
  missing_input:
    'Some conversations had no next input. Add turns, configure a simulator, or use --interactive; on_missing_input says what happens otherwise.',
  lost_in_import:
    'Some cases are skipped because the import could not carry over all of them. IMPORT.md says what is missing.',
  snapshot: 'Some snapshots are new. Review the answers, then accept them: viva snapshot review.',
  input: 'Some cases could not be used as written. Their errors name the file and the field.',
}
const CAUSES = Object.keys(ADVICE) as Cause[]
