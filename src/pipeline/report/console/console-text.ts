// What a console makes of the events of a run.
import type { RunEvent } from '../../../model/event.js'

export interface ConsoleText {
  /** For people; `undefined` if there is nothing to say. */
  textOf(event: RunEvent): string | undefined
  /** Of an earlier part of the run: not shown again, and part of what is said at the end. */
  recall(event: RunEvent): void
}
