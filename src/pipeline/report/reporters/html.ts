// `-o x.html`: one file with the application and its data. The recording is read twice: first for the rows of the
// table, then, after the application, for the details, so that a browser shows the table before it has read the rest.
import type { ResultEvent, RunEvent, StabilityEvent } from '../../../model/event.js'
import { packRow, type PackedRow } from '../../../model/result-row.js'
import { loadViewerAssets, type ViewerAssets } from '../html/assets.js'
import { cappedLine, withoutOutputs } from '../html/cap.js'
import { embedJson, escapeForScript } from '../html/embed.js'
import { pageApp, pageHead, pageTail } from '../html/page.js'
import type { Recording, Reporter, Screen } from '../recording.js'
import { FIELD_LIMIT } from '../text.js'

export const html: Reporter = (recording, screen) => createHtmlReporter(loadViewerAssets)(recording, screen)

export function createHtmlReporter(loadAssets: () => Promise<ViewerAssets>): Reporter {
  return async function* writeHtml(recording: Recording, _screen: Screen): AsyncIterable<string> {
    const assets = await loadAssets()
    let opened = false
    for await (const [title, text] of overview(recording)) {
      if (!opened) yield pageHead(title, assets, 'report')
      opened = true
      yield text
    }
    if (!opened) yield pageHead('Viva report', assets, 'report')
    yield pageApp(assets)
    yield* details(recording)
    yield pageTail()
  }
}

const BATCH_ROWS = 1000
const BATCH_SIZE = 512 * 1024

/** Which of two runs a block belongs to, in a comparison. */
type Side = 'before' | 'after'

/** What the table needs: the run and one row per result. */
export async function* overview(recording: Recording, side?: Side): AsyncGenerator<[title: string, text: string]> {
  let title = 'Viva report'
  let rows: PackedRow[] = []
  let stability: StabilityEvent[] = []
  let several = false
  for await (const event of recording.events()) {
    if (event.type === 'result') rows.push(packRow(event))
    else if (event.type === 'stability') stability.push(withoutOutputs(event))
    else if (event.type !== 'case_start' && event.type !== 'log') {
      title = titleOf(event) ?? title
      if (event.type === 'start' && event.variants) several = true
      yield [title, dataBlock({ kind: event.type, side }, embedJson(event))]
    }
    if (rows.length >= BATCH_ROWS) {
      yield [title, dataBlock({ kind: 'rows', side }, embedJson(rows))]
      rows = []
    }
    if (stability.length >= BATCH_ROWS) {
      yield [title, dataBlock({ kind: 'stability', side }, embedJson(stability))]
      stability = []
    }
  }
  if (rows.length > 0) yield [title, dataBlock({ kind: 'rows', side }, embedJson(rows))]
  if (stability.length > 0) yield [title, dataBlock({ kind: 'stability', side }, embedJson(stability))]
  if (!several || side !== undefined) return
  const { variantsOverview } = await import('../variants-overview.js')
  yield [title, dataBlock({ kind: 'variants' }, embedJson(await variantsOverview(recording)))]
}

/** Blocks with one line per result; each block says which row its first line belongs to. */
export async function* details(recording: Recording, side?: Side): AsyncGenerator<string> {
  let lines: string[] = []
  let size = 0
  let first = 0
  // Two runs share the room of one.
  let written = 0
  const share = side === undefined ? 1 : 2
  const take = () => {
    const block = dataBlock({ details: first, side }, `[\n${lines.join(',\n')}\n]`)
    first += lines.length
    written += size
    lines = []
    size = 0
    return block
  }
  for await (const event of recording.events()) {
    if (event.type !== 'result') continue
    const line = detailLine(event, written * share)
    lines.push(line)
    size += line.length
    if (size >= BATCH_SIZE || lines.length >= BATCH_ROWS) yield take()
  }
  if (lines.length > 0) yield take()
}

// A browser must still open the file: when a report grows very large, later results are cut shorter.
function detailLine(event: ResultEvent, written: number): string {
  const limit = written < 72e6 ? FIELD_LIMIT : written < 110e6 ? FIELD_LIMIT / 8 : FIELD_LIMIT / 64
  return escapeForScript(cappedLine(event, limit))
}

function titleOf(event: RunEvent): string | undefined {
  return event.type === 'start' ? `${event.agent_id || event.script || event.input} · Viva report` : undefined
}

export function dataBlock(names: Record<string, string | number | undefined>, json: string): string {
  const attributes = Object.entries(names).map(([name, value]) =>
    value === undefined ? '' : ` data-${name}="${value}"`,
  )
  return `<script type="application/json"${attributes.join('')}>${json}</script>\n`
}
