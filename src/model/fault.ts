// Faults that are injected into a run on purpose, to see how it copes.

export const FAULTS = ['timeout', 'error', 'malformed', 'slow', 'dropped'] as const

export type Fault = (typeof FAULTS)[number]

export interface InjectedFault {
  /** Position in the case or the orchestrator run, from 1. */
  call: number
  /** Absent: the first. */
  attempt?: number
  /** Whose call it was: an agent, a helper, a tool, a hat. */
  role: string
  fault: Fault
}

/** For people. */
export function describeFault({ call, attempt, role, fault }: InjectedFault): string {
  return `${fault} at call ${call} (${role})${attempt === undefined ? '' : `, attempt ${attempt}`}`
}
