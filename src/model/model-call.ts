// On whose behalf a model is called: carried by every request from its origin to the connector.

export const LANES = ['agent', 'tools', 'simulator', 'judge', 'generator', 'reporter', 'hat'] as const

export interface ModelCall {
  lane: (typeof LANES)[number]
  /** The agent that answers; for a helper, with its role, e.g. `judge:viva.judge`. */
  role: string
  /** Absent outside cases. */
  case_id?: string
  run?: number
  variant?: string
  attempt?: number
  /** Part of a call that is recorded as a whole. */
  within?: true
}

/** Agents called along the way answer under their own names, but what a helper calls is part of the helper. */
export function callOf(id: string, origin: ModelCall): ModelCall {
  return isTested(origin) ? { ...origin, role: id } : origin
}

export function isTested({ lane }: ModelCall): boolean {
  return lane === 'agent' || lane === 'tools'
}
