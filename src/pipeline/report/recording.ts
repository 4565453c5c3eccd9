// What a reporter is given and what it is.
import type { RunEvent } from '../../model/event.js'

/** A finished run. May be read more than once; holds no event after it was handed out. */
export interface Recording {
  events(): AsyncIterable<RunEvent>
  /** The lines of its file as they were written, also those this version does not know. */
  lines?(): AsyncIterable<string>
}

export interface Screen {
  columns: number
  color: boolean
  verbose: boolean
  /** What passed and what was skipped gets one line. */
  brief?: boolean
  /** Who looks has seen what is run. */
  noHeader?: boolean
}

export type Reporter = (recording: Recording, screen: Screen) => AsyncIterable<string>
