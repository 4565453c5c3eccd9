// A recording as one object in memory: for reporter agents and the library, not for runs of any size.
import { eachCase } from './cases.js'
import {
  documentCase,
  documentErrors,
  documentHead,
  documentMetadata,
  documentSummary,
  scriptSummary,
} from './document.js'
import { readOverview } from './overview.js'
import type { Recording } from './recording.js'

/** The seeds' report: the same document as `-o report.json`. */
export interface Report {
  type?: string
  script?: string
  script_path?: string
  summary: Record<string, unknown>
  environment: Record<string, unknown>
  results: Array<Record<string, unknown>>
  errors?: Array<Record<string, unknown>>
  metadata: Record<string, unknown>
}

export async function foldReport(recording: Recording): Promise<Report> {
  const overview = await readOverview(recording)
  const results: Array<Record<string, unknown>> = []
  for await (const event of eachCase(recording, overview)) results.push(documentCase(event, overview))
  return {
    ...documentHead(overview),
    summary: overview.start.mode === 'script_test' ? scriptSummary(overview) : documentSummary(overview),
    environment: overview.start.environment,
    results,
    ...(overview.errors.length > 0 && { errors: documentErrors(overview) }),
    metadata: documentMetadata(overview),
  }
}
