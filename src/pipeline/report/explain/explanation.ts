// Why a case did not pass, as data: what went wrong first, the likely cause, what to try.
import type { Blame } from '../blame/party.js'
import type { ListedStatus } from '../../../model/status.js'

export const CERTAINTIES = ['certain', 'likely', 'cannot tell'] as const

/** `certain`: the record shows it. `likely`: a rule says so. */
export type Certainty = (typeof CERTAINTIES)[number]

export interface Explanation {
  id: string
  name?: string
  variant?: string
  /** The file and line of the case. */
  where?: string
  status: ListedStatus
  /** The first thing that went wrong, in one sentence. */
  headline: string
  /** The rule that names the cause; the same for failures with the same cause. */
  rule: string
  certainty: Certainty
  /** The likely cause in words; absent if nobody can tell. */
  cause?: string
  /** Where in the case: a turn, a checkpoint, an assertion. */
  first_wrong?: string
  asked?: string
  came?: string
  expected?: string
  actual?: string
  /** With repetitions: how often it passed. */
  rate?: string
  /** Where in the user's code, innermost first. */
  frames?: string[]
  /** What whoever reported the error says to do. */
  hint?: string
  try: string[]
  /** Who most likely failed. */
  blame?: Blame
}
