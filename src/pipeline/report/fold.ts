// A recording as one object in memory: for reporter agents and the library, not for runs of any size.
import { caseStatus, eachCase } from './cases.js'
import { documentCase, documentFrame, documentLists, type After, type Before } from './document.js'
import { readOverview } from './overview.js'
import type { Recording } from './recording.js'

/** The seeds' report: the same document as `-o report.json`. */
export interface Report extends Before, After {
  results: Array<Record<string, unknown>>
  /** With `--runs`: cases that were not run at all. */
  skipped?: Array<Record<string, unknown>>
}

export async function foldReport(recording: Recording): Promise<Report> {
  const overview = await readOverview(recording)
  const { before, after } = documentFrame(overview)
  const lists: Pick<Report, 'results' | 'skipped'> = { results: [] }
  for await (const event of eachCase(recording, overview)) {
    const status = caseStatus(event, overview)
    const list = documentLists(overview).find(({ holds }) => holds(status))
    if (list) (lists[list.key] ??= []).push(documentCase(event, overview))
  }
  return { ...before, ...lists, ...after }
}
