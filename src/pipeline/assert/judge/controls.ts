// Answers whose verdict is known: a judge that gets them wrong is not trusted with the real one.
import * as v from 'valibot'
import { preview } from '../../../base/text.js'
import { closedObject } from '../closed-object.js'

export const controlEntries = {
  /** `good` must pass and `bad` must not, or the check is an error. */
  controls: v.optional(closedObject({ good: v.optional(v.unknown()), bad: v.optional(v.unknown()) })),
}

export interface Controls {
  good?: unknown
  bad?: unknown
}

/** Throws if the judge is wrong about a control. `passes` asks it about one answer. */
export async function requireControls(
  controls: Controls,
  passes: (output: unknown) => Promise<boolean>,
): Promise<void> {
  const { good, bad } = controls
  if (bad !== undefined && (await passes(bad))) throw failedControl('passed the answer that is known to be bad', bad)
  if (good !== undefined && !(await passes(good)))
    throw failedControl('rejected the answer that is known to be good', good)
}

function failedControl(what: string, answer: unknown): Error {
  return new Error(`the judge failed its control: it ${what}: ${preview(answer, 80)}`)
}
