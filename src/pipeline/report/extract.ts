// `viva extract`: one file per result. A case's id is free text and never becomes a file name unchanged.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { prettyJson } from '../../base/json/pretty-json.js'
import { caseStatus, eachCase, type CaseEvent } from './cases.js'
import { caseKey, type CaseName } from '../../model/run-key.js'
import { documentCase } from './document.js'
import { markdownCase } from './markdown-case.js'
import { readOverview, type Overview } from './overview.js'
import type { Recording } from './recording.js'
import { writeTextHere } from './write-report.js'

export interface ExtractRequest {
  recording: Recording
  dir: string
  format: 'markdown' | 'json'
}

/** The number of files written. */
export async function extractResults({ recording, dir, format }: ExtractRequest): Promise<number> {
  const overview = await readOverview(recording)
  let count = 0
  for await (const event of eachCase(recording, overview)) {
    const text = format === 'json' ? jsonText(event, overview) : `${markdownCase(event, overview).replace(/^##/, '')}\n`
    await writeTextHere(join(dir, `${fileName(event)}${format === 'json' ? '.json' : '.md'}`), text)
    count++
  }
  return count
}

/** A readable beginning, and a hash that distinguishes ids that look alike or differ only in case. */
export function fileName(event: CaseName & { run?: number }): string {
  const title = event.variant === undefined ? event.id : `${event.id} ${event.variant}`
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
  const hash = createHash('sha256')
    .update(event.variant === undefined ? event.id : caseKey(event))
    .digest('hex')
    .slice(0, 10)
  const run = event.run !== undefined && event.run > 1 ? `-run${event.run}` : ''
  return `${slug === '' ? 'case' : slug}-${hash}${run}`
}

function jsonText(event: CaseEvent, overview: Overview): string {
  return prettyJson({ ...documentCase(event, overview), status: caseStatus(event, overview) })
}
