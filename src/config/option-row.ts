// A row of the table of options: what it takes, how it is shown, and what follows from it elsewhere.

/** What values an option takes, wherever they come from: a flag, the configuration, a program. */
export interface OptionRule {
  kind: 'text' | 'switch' | 'integer' | 'number' | 'list' | 'choice' | 'runs' | 'percent' | 'optional' | 'texts'
  choices?: readonly string[]
  /** What a text, or each item of a list, must be, if not any string. */
  items?: 'variable'
  min?: number
  max?: number
}

export type OptionGroup =
  | 'Input'
  | 'Agent'
  | 'Identity'
  | 'Running'
  | 'Conversations'
  | 'Recordings'
  | 'Output'
  | 'Repetition'
  | 'Fleet'
  | 'Project'

/** Columns without a question mark are required: a row that leaves one out does not compile. */
export interface OptionRow extends OptionRule {
  default: string | number | boolean | readonly string[] | undefined
  /** The default as help shows it, if it is not the value itself. */
  shown?: string | undefined
  short?: string
  /** Placeholder of the value; absent for switches. */
  value?: string
  /** Given several times, it means all of them. */
  several?: true
  group: OptionGroup
  description: string
  example?: string
  rules: {
    /**
     * Whether the second part of a run may have another value: only if that changes no verdict of the first. `may be added`:
     * only if the first had none. `given again`: event files do not keep it.
     */
    resume: 'same' | 'may change' | 'may be added' | 'given again'
    /** Whether shards of one run may have different values: only if that changes no verdict, or is specific to the machine. */
    merge: 'same' | 'may differ'
    /** The verdicts of cases may depend on it: `start.plan` lists it. */
    bears?: 'on verdicts'
    /** Who needs it with `--queue`. */
    fleet: FleetRule
    /** Other commands that take it. */
    also: readonly ('diff' | 'estimate')[]
  }
}

export type FleetRule =
  /** Decided or written by the coordinator alone. */
  | 'coordinator'
  | 'workers'
  /** What a fleet cannot do. `when`: only with these other options. */
  | {
      refused: string
      hint: string
      when?: (options: Readonly<Record<string, unknown>>) => boolean
      otherwise: 'coordinator' | 'workers'
    }
