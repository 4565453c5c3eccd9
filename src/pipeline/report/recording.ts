// What a reporter is given and what it is.
import type { RunEvent } from '../../model/event.js'

/** A finished run. May be read more than once; holds no event after it was handed out. */
export interface Recording {
  events(): AsyncIterable<RunEvent>
}

export interface Screen {
  columns: number
  color: boolean
  verbose: boolean
}

export type Reporter = (recording: Recording, screen: Screen) => AsyncIterable<string>
