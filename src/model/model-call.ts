// On whose behalf a model is called: carried by every request, from the place that knows it to the connector.

export const LANES = ['agent', 'tools', 'simulator', 'judge', 'generator', 'reporter', 'hat'] as const

export interface ModelCall {
  lane: (typeof LANES)[number]
  /** The agent that answers; of a helper with what it does, e.g. `judge:viva.judge`. */
  role: string
  /** Absent outside cases. */
  case_id?: string
  run?: number
  variant?: string
  attempt?: number
  /** Part of a call that is recorded whole. */
  within?: true
}

/** Whoever is called on the way answers under its own name, but what a helper calls is part of the helper. */
export function callOf(id: string, origin: ModelCall): ModelCall {
  return isTested(origin) ? { ...origin, role: id } : origin
}

export function isTested({ lane }: ModelCall): boolean {
  return lane === 'agent' || lane === 'tools'
}
