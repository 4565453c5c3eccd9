// `.txt`: the summary of the console, without colours.
import { summaryBlock } from '../console/classic/summary-block.js'
import { readOverview } from '../overview.js'
import type { Recording, Screen } from '../recording.js'

export async function* summary(recording: Recording, screen: Screen): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  yield summaryBlock(overview.summary, overview.start, screen)
  if (overview.disagreement !== undefined) yield `\n  Warning: ${overview.disagreement}\n`
}
