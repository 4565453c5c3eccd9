// Hats: the roles that a backend plays in turn.

export interface Hat {
  /** Its name in sessions, events and mocks. */
  id: string
  name: string
  description: string
  /** Patterns of the topics it is woken by. */
  triggers: string[]
  /** The topics it may publish; shown in its prompt. */
  publishes: string[]
  instructions: string
  /** Default: the backend of the run. */
  backend?: BackendChoice
  /** Published for it if it succeeded and published nothing. */
  default_publishes?: string
  max_activations?: number
}

/** A backend by name, with further arguments where wanted. */
export interface BackendChoice {
  type: string
  args?: string[]
  command?: string
  prompt_mode?: 'arg' | 'stdin'
  prompt_flag?: string
  /** Of kiro: the name of one of its agents. */
  agent?: string
}

/** The hats to use if a configuration names none. */
export const BUILT_IN_HATS: readonly Hat[] = [
  {
    id: 'planner',
    name: 'Planner',
    description: 'Plans the work and hands it out, one task at a time.',
    triggers: ['task.start', 'task.resume', 'build.done', 'build.blocked'],
    publishes: ['build.task'],
    instructions: [
      'Keep the plan in the scratchpad: what is done, what is next, what is blocked.',
      'Hand out the next task as `build.task`, small enough to be done in one go, with what it takes to be accepted.',
      'When nothing is left to do, finish.',
    ].join('\n'),
  },
  {
    id: 'builder',
    name: 'Builder',
    description: 'Does one task.',
    triggers: ['build.task'],
    publishes: ['build.done', 'build.blocked'],
    instructions: [
      'Do the task of the pending event and nothing else, and check that it works.',
      'Publish `build.done` with what was done, or `build.blocked` with what is in the way.',
    ].join('\n'),
  },
]
