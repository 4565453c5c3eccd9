// The console as a sink of events: which of the two texts a run has.
import type { Screen } from '../recording.js'
import { createClassicText } from './classic/console.js'
import type { ConsoleText } from './console-text.js'

export function createConsoleText(screen: Screen): ConsoleText {
  return createClassicText(screen)
}
