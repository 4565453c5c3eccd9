// A reporter agent writes the report: `-r agent-id`.
import type { AskHelper } from '../../model/helper.js'
import { parseReporterAnswer } from './answers.js'

export interface ReporterRequest {
  ask: AskHelper
  use: string
  report: unknown
  /** `html`, `markdown`, `json`, `text`. */
  format: string
  verbose?: boolean
  signal?: AbortSignal
}

export async function reporterAgentText(request: ReporterRequest): Promise<string> {
  const { ask, use, report, format, verbose = false, signal = new AbortController().signal } = request
  // The report has every output.
  const options = { verbose, include_outputs: true }
  const answer = await ask({ role: 'reporter', use, data: { report, format, options }, signal })
  return parseReporterAnswer(answer, format)
}
