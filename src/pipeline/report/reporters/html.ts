// `-o x.html`: one file with the application and its data. Written as the events are read, a batch at a time.
import type { ResultEvent, RunEvent, StabilityEvent } from '../../../model/event.js'
import { packRow, type PackedRow } from '../../../model/result-row.js'
import { loadViewerAssets, type ViewerAssets } from '../html/assets.js'
import { cappedLine, FIELD_LIMIT } from '../html/cap.js'
import { embedJson, escapeForScript } from '../html/embed.js'
import { pageHead, pageTail } from '../html/page.js'
import type { Recording, Reporter, Screen } from '../recording.js'

export const html: Reporter = (recording, screen) => createHtmlReporter(loadViewerAssets)(recording, screen)

export function createHtmlReporter(loadAssets: () => Promise<ViewerAssets>): Reporter {
  return async function* writeHtml(recording: Recording, _screen: Screen): AsyncIterable<string> {
    const assets = await loadAssets()
    const batch = new Batch()
    let opened = false
    for await (const event of recording.events()) {
      if (!opened) {
        yield pageHead(titleOf(event), assets, 'report')
        opened = true
      }
      if (event.type === 'result') batch.addResult(event)
      else if (event.type === 'stability') batch.addStability(event)
      else if (event.type !== 'case_start') yield dataBlock(event.type, embedJson(event))
      if (batch.full) yield* batch.take()
    }
    if (!opened) yield pageHead('Viva report', assets, 'report')
    yield* batch.take()
    yield pageTail(assets)
  }
}

function titleOf(event: RunEvent): string {
  if (event.type !== 'start') return 'Viva report'
  return `${event.agent_id || event.script || event.input} · Viva report`
}

function dataBlock(kind: string, json: string): string {
  return `<script type="application/json" data-viva="${kind}">${json}</script>\n`
}

// Each batch is two blocks: the rows, read at once, and the details, one line each, read when a case is opened.
class Batch {
  private rows: PackedRow[] = []
  private details: string[] = []
  private stability: StabilityEvent[] = []
  private size = 0
  private written = 0

  get full(): boolean {
    return this.size > 512 * 1024 || this.rows.length >= 1000 || this.stability.length >= 1000
  }

  addResult(event: ResultEvent): void {
    const line = escapeForScript(cappedLine(event, this.fieldLimit))
    this.rows.push(packRow(event))
    this.details.push(line)
    this.size += line.length
  }

  addStability(event: StabilityEvent): void {
    this.stability.push({ ...event, run_details: event.run_details?.map(({ output: _output, ...rest }) => rest) ?? [] })
  }

  *take(): Iterable<string> {
    if (this.rows.length > 0) {
      yield dataBlock('rows', embedJson(this.rows))
      yield dataBlock('details', `[\n${this.details.join(',\n')}\n]`)
    }
    if (this.stability.length > 0) yield dataBlock('stability', embedJson(this.stability))
    this.written += this.size
    this.size = 0
    this.rows = []
    this.details = []
    this.stability = []
  }

  // A browser must still open the file: when a report grows very large, later results are cut shorter.
  private get fieldLimit(): number {
    if (this.written < 72e6) return FIELD_LIMIT
    return this.written < 110e6 ? FIELD_LIMIT / 8 : FIELD_LIMIT / 64
  }
}
