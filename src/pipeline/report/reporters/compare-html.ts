// `viva compare -o x.html`: the report's application with both runs in it, side by side.
import type { ComparedRuns } from '../compare/compare.js'
import { overviewOf } from '../compare/overview-of.js'
import { loadViewerAssets, type ViewerAssets } from '../html/assets.js'
import { embedJson } from '../html/embed.js'
import { pageApp, pageHead, pageTail } from '../html/page.js'
import type { Recording } from '../recording.js'
import { dataBlock, details, overview } from './html.js'

const BATCH = 1000

export async function* compareHtml(
  { comparison, cases }: ComparedRuns,
  runs: { before: Recording; after: Recording },
  loadAssets: () => Promise<ViewerAssets> = loadViewerAssets,
): AsyncGenerator<string> {
  const assets = await loadAssets()
  yield pageHead(`${comparison.after.agent_id || 'Two runs'} · Viva comparison`, assets, 'compare')
  yield dataBlock({ kind: 'comparison' }, embedJson(overviewOf(comparison)))
  for (let at = 0; at < cases.length; at += BATCH)
    yield dataBlock({ kind: 'cases' }, embedJson(cases.slice(at, at + BATCH)))
  for (const side of SIDES) for await (const [, text] of overview(runs[side], side)) yield text
  yield pageApp(assets)
  for (const side of SIDES) yield* details(runs[side], side)
  yield pageTail()
}

const SIDES = ['before', 'after'] as const
