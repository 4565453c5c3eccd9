// The console as a sink of events: which of the two texts a run has.
import type { ResultEvent } from '../../../model/event.js'
import { explainResult } from '../explain/explain.js'
import type { Screen } from '../recording.js'
import { createBriefText } from './brief.js'
import { createClassicText } from './classic/console.js'
import type { ConsoleText } from './console-text.js'
import { answerTrouble } from './failures.js'

/** Why the answer to a single message is not good enough; the answer itself is shown elsewhere. */
export function troubleText(result: ResultEvent, screen: Screen): string {
  return screen.classic === true
    ? (createClassicText(screen).textOf(result) ?? '')
    : answerTrouble(explainResult(result), screen)
}

export function createConsoleText(screen: Screen): ConsoleText {
  return screen.classic === true ? createClassicText(screen) : createBriefText(screen)
}
