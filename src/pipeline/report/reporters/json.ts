// `.json`: the whole run as one document, written one case at a time.
import { eachCase, caseStatus } from '../cases.js'
import { documentCase, documentFrame, documentLists, type CaseListing } from '../document.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'

export async function* json(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const { before, after } = documentFrame(overview)
  yield `{\n${fields(before)},\n`
  for (const { key, holds } of documentLists(overview)) yield* list(key, recording, overview, holds)
  yield `${fields(after)}\n}\n`
}

function fields(values: object): string {
  return Object.entries(values)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${setIn(value, 2)}`)
    .join(',\n')
}

async function* list(
  key: string,
  recording: Recording,
  overview: Overview,
  holds: CaseListing['holds'],
): AsyncGenerator<string> {
  yield `  "${key}": [`
  let separator = '\n    '
  for await (const event of eachCase(recording, overview)) {
    if (!holds(caseStatus(event, overview))) continue
    yield `${separator}${setIn(documentCase(event, overview), 4)}`
    separator = ',\n    '
  }
  yield separator === '\n    ' ? '],\n' : '\n  ],\n'
}

// JSON has no raw newline inside a string, so every newline may be indented.
function setIn(value: unknown, by: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)
}
