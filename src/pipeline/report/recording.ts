// What a reporter receives and what it is.
import type { RunEvent } from '../../model/event.js'

/** A finished run. Can be read more than once; retains no event after it was handed out. */
export interface Recording {
  events(): AsyncIterable<RunEvent>
  /** The lines of its file as they were written, including those this version does not know. */
  lines?(): AsyncIterable<string>
}

export interface Screen {
  columns: number
  color: boolean
  verbose: boolean
  /** The console of the documents. */
  classic?: boolean
  /** Passed and skipped cases get one line. */
  brief?: boolean
  /** The viewer of the output has already seen what is run. */
  noHeader?: boolean
  /** How this Viva was called, if not as `viva`: printed commands work as typed. */
  program?: string
}

export interface Caller {
  program?: string | undefined
}

/** A command that begins with `viva`, in the words that call it here. */
export function asTyped(command: string, { program }: Caller): string {
  return program === undefined ? command : command.replace(/^viva\b/, () => program)
}

/** Advice that ends in a command: `look at it: viva view latest`. */
export function adviceAsTyped(advice: string, caller: Caller): string {
  const at = advice.search(/(?<=: )viva [a-z]/)
  return at === -1 ? advice : `${advice.slice(0, at)}${asTyped(advice.slice(at), caller)}`
}

export type Reporter = (recording: Recording, screen: Screen) => AsyncIterable<string>
