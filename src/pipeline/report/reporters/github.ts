// GitHub Actions: failed cases as annotations at their file and line, and a job summary that fits.
import { caseTitle } from '../../../model/run-key.js'
import { caseError, eachCase, failuresFirst, isNotGreen, listedStatus, type CaseEvent } from '../cases.js'
import { markdownCase } from '../markdown-case.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'
import { visible } from '../../../base/hidden.js'
import { clipField, heading } from '../text.js'
import { markdownHead } from './markdown.js'

// GitHub shows few annotations per step and silently drops the rest.
const ANNOTATIONS = 50
// It refuses a job summary above one mebibyte.
const SUMMARY_BYTES = 1_000_000

/** Workflow commands, one per line. */
export async function* githubAnnotations(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  let shown = 0
  const notGreen = overview.listed.not_green
  if (notGreen > 0) {
    for await (const event of eachCase(recording, overview)) {
      if (!isNotGreen(listedStatus(event, overview))) continue
      yield annotation(event, overview)
      if (++shown === ANNOTATIONS) break
    }
  }
  for (const { where, message } of overview.stray.slice(0, ANNOTATIONS - shown))
    yield `::error title=${property(`outside any test: ${heading(where, 100)}`)}::${data(clipField(message, 2_000))}\n`
  const left = notGreen - shown
  if (left > 0) yield `::error title=${property('viva')}::${data(`${left} more cases did not pass`)}\n`
}

/** The Markdown report, cut after a whole case if GitHub would refuse it. */
export async function* githubSummary(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const head = markdownHead(overview)
  yield head
  let bytes = Buffer.byteLength(head)
  let listed = 0
  for await (const event of failuresFirst(recording, overview)) {
    const text = `${markdownCase(event, overview)}\n`
    bytes += Buffer.byteLength(text)
    if (bytes > SUMMARY_BYTES) {
      yield `${overview.listed.total - listed} more cases are in the report files.\n`
      return
    }
    yield text
    listed++
  }
}

function annotation(event: CaseEvent, overview: Overview): string {
  const place: string[] = []
  if (event.file !== undefined) place.push(`file=${property(event.file)}`)
  if (event.file !== undefined && event.line !== undefined) place.push(`line=${event.line}`)
  const isScript = overview.start.mode === 'script_test'
  const title = event.name === undefined || isScript ? caseTitle(event) : `${caseTitle(event)} - ${event.name}`
  place.push(`title=${property(heading(title, 120))}`)
  return `::error ${place.join(',')}::${data(clipField(caseError(event, overview), 2_000))}\n`
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
