// What a kind of surface is: its places, which of them a result reached, and what to say about those that none did.
import type { Seen } from './seen.js'
import { LISTED_KINDS, type Surface } from './surface.js'

export const KIND_NAMES = ['tools', 'tool_errors', 'arguments', 'values', ...LISTED_KINDS] as const

export type KindName = (typeof KIND_NAMES)[number]

/** Something that a run can reach. */
export interface Place {
  /** Unique among those of its kind. */
  name: string
  /** The place that has to be reached first: a tool for its arguments. */
  within?: { kind: KindName; name: string }
  /** What to do about it, if a case alone cannot reach it. */
  hint?: string
  /** What a case has to bring about; absent: a case cannot. */
  aim?: Aim
}

export interface Aim {
  /** A sentence for whoever writes the case. */
  wanted: string
  /** What it is about: descriptions and schemas, for whoever writes the case. */
  about?: Record<string, unknown>
}

export interface SurfaceKind {
  name: KindName
  /** As a heading. */
  title: string
  /** What happened to a place that no run reached. */
  never: string
  /** Undefined: nothing says what there is. */
  places(surface: Surface, facts: Facts): Place[] | undefined
  /** The names of the places that a result reached, once for each time. */
  reached(seen: Seen, surface: Surface): Iterable<string>
}

/** What only the runs show. */
export interface Facts {
  /** Some result says whether the agent refused. */
  reportsRefusals: boolean
  isOrchestrator: boolean
}
