// What the labelling screen and its server say to each other.

/** What a person sees before they decide: nothing of what the judge said. */
export interface ShownAnswer {
  key: string
  criterion: unknown
  rubric?: Record<string, unknown>
  /** With a rubric: the level from which it passes. */
  threshold?: number
  input: unknown
  output: unknown
}

export interface LabelProgress {
  by: string
  done: number
  total: number
  /** Absent: all are labelled. */
  shown?: ShownAnswer
}

export interface DecideRequest {
  key: string
  verdict: 'pass' | 'fail' | 'cannot_tell'
  note?: string
}

export interface Decided {
  /** What the judge said. */
  judge: { passed: boolean; reason?: string }
}
