// One sentence on what to do next, from the kinds of failure seen.
import type { ErrorKind } from '../../model/outcome.js'

export function suggestionFor(failed: number, byKind: Partial<Record<ErrorKind, number>>): string | undefined {
  if (failed === 0) return undefined
  if (byKind.timeout) return 'Some tests timed out. Consider increasing --timeout or checking agent responsiveness.'
  const otherKinds = Object.keys(ADVICE).filter((kind) => byKind[kind as ErrorKind]) as Array<keyof typeof ADVICE>
  const kind = otherKinds[0]
  if (kind !== undefined && (byKind[kind] ?? 0) === failed) return ADVICE[kind]
  return 'Some assertions failed. Re-run with --json to inspect trace details.'
}

// Only where every failure is of that kind: a failed assertion is worth more attention than the rest.
const ADVICE = {
  agent: 'The agent could not be reached or failed. Check its connector and credentials.',
  crashed: 'A process ended before giving a verdict. Its last output is in the results.',
  script: 'A script threw an error. The stack in the results points at its line.',
  hook: 'A hook failed before its case could run. Its error is in the results.',
  simulator: 'The simulated user failed, not the agent. Check the simulator agent and its connector.',
  validator: 'A judge gave no verdict. Check the validator agent and its connector.',
  input: 'Some cases could not be used as written. Their errors name the file and the field.',
} as const
