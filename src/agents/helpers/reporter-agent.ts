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
  const answer = await ask({ role: 'reporter', use, data: { report, format, options: { verbose } }, signal })
  return parseReporterAnswer(answer, format)
}
