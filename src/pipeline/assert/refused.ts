// A refusal in place of an answer: it shows nothing about the answer, whichever way it is looked at.
import type { Verdict } from '../../model/assertion.js'
import type { AssertionDefinition } from './define-assertion.js'

/** Whether an assertion reads the answer: by itself, or through a judge or a script. */
export function readsAnswerOf(on: AssertionDefinition['on'] | undefined): boolean {
  return on === 'answer' || on === 'helper'
}

/** `said`: as shown. */
export function describeRefusal(said: string): string {
  return `the agent refused: ${said}. If that is right, add {"type": "refusal"} to the case`
}

export function refusedVerdict(said: string): Verdict {
  const message = describeRefusal(said)
  return { passed: false, message, absent: message }
}
