// `.json`: the whole run as one document, written a case at a time.
import { eachCase, caseStatus } from '../cases.js'
import {
  documentCase,
  documentErrors,
  documentHead,
  documentMetadata,
  documentSummary,
  scriptSummary,
} from '../document.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'

export async function* json(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const isScript = overview.start.mode === 'script_test'
  yield '{\n'
  for (const [key, value] of Object.entries(documentHead(overview)))
    yield `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`
  yield `  "summary": ${indented(isScript ? scriptSummary(overview) : documentSummary(overview), 2)},\n`
  yield `  "environment": ${indented(overview.start.environment, 2)},\n`
  yield* list('results', recording, overview, (status) => !overview.repeated || status !== 'skipped')
  // With `--runs` every entry of `results` has a pass rate; a skipped case has none.
  if (overview.repeated && overview.listed.skipped > 0) {
    yield* list('skipped', recording, overview, (status) => status === 'skipped')
  }
  if (overview.errors.length > 0) yield `  "errors": ${indented(documentErrors(overview), 2)},\n`
  yield `  "metadata": ${indented(documentMetadata(overview), 2)}\n}\n`
}

async function* list(
  key: string,
  recording: Recording,
  overview: Overview,
  isListed: (status: string) => boolean,
): AsyncGenerator<string> {
  yield `  "${key}": [`
  let separator = '\n    '
  for await (const event of eachCase(recording, overview)) {
    if (!isListed(caseStatus(event, overview))) continue
    yield `${separator}${indented(documentCase(event, overview), 4)}`
    separator = ',\n    '
  }
  yield separator === '\n    ' ? '],\n' : '\n  ],\n'
}

// JSON has no raw newline inside a string, so every newline may be indented.
function indented(value: unknown, by: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)
}
