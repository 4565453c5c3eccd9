// The shape of a command file, and the rows from which help, completion and the reference are generated.
import type { Flag } from './flags.js'

export interface CommandSpec {
  name: string
  summary: string
  /** Its heading in the help. */
  group?: string
  /** Positional arguments as shown, e.g. `<events.jsonl>`. */
  args?: Array<{ name: string; required: boolean; many?: boolean; description: string; choices?: string[] }>
  flags: Flag[]
  /** Flags that are not in the table are arguments: the command reads them. */
  openFlags?: true
  /** Shown below the flags: values and what they mean. */
  lists?: Array<{ title: string; rows: Array<[name: string, about: string]> }>
  examples: string[]
  /** Loaded only when the command runs. */
  load(): Promise<CommandRun>
}

export type CommandRun = (call: CommandCall) => Promise<number>

export interface CommandCall {
  args: string[]
  /** Flags that were given, by key. */
  flags: Record<string, unknown>
  color: boolean | undefined
  /** All commands, for those that speak about the others. */
  commands: CommandSpec[]
}
