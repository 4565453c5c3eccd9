// What may be known besides the result itself.
import type { SeenRuns } from './seen-runs.js'

export interface BlameContext extends SeenRuns {
  /** Absent: none was found, or nobody looked. */
  claim?: WrongClaim
}

export interface WrongClaim {
  /** As the agent said it. */
  text: string
  /** Something says otherwise; else nothing shows that it was done. */
  isContradicted: boolean
  evidence?: string
  turn?: number
}
