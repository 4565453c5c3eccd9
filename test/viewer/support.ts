// What the viewer's tests share: the built application, reports on disk, and a place for screenshots.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect } from 'vitest'
import type { RunEvent } from '../../src/model/event.js'
import { loadViewerAssets, type ViewerAssets } from '../../src/pipeline/report/html/assets.js'
import { compareRuns } from '../../src/pipeline/report/compare/compare.js'
import { compareHtml } from '../../src/pipeline/report/reporters/compare-html.js'
import { createHtmlReporter } from '../../src/pipeline/report/reporters/html.js'
import { writeChunks } from '../../src/pipeline/report/write-report.js'
import { asStream } from './sample-events.js'

export const SCREENSHOTS = fileURLToPath(new URL('../.tmp/screenshots/', import.meta.url))
mkdirSync(SCREENSHOTS, { recursive: true })

/** Removed with all in it when the test file is done: reports are large. */
const FOLDER = mkdtempSync(join(tmpdir(), 'viva-viewer-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

export function newFolder(name: string): string {
  return mkdtempSync(join(FOLDER, `${name}-`))
}

let assets: Promise<ViewerAssets> | undefined

/** Built once for each test file, apart from `dist`: the tests see the sources as they are. */
export function builtAssets(): Promise<ViewerAssets> {
  assets ??= buildAssets()
  return assets
}

async function buildAssets(): Promise<ViewerAssets> {
  const outdir = newFolder('built')
  const builder = new URL('../../build/viewer.mjs', import.meta.url).href
  const module = (await import(builder)) as { buildViewer: (options: { outdir: string }) => Promise<void> }
  await module.buildViewer({ outdir })
  return loadViewerAssets(outdir)
}

/** Writes a report and returns its `file:` address. */
export async function writeReport(name: string, events: RunEvent[] | (() => Iterable<RunEvent>)): Promise<string> {
  const path = join(newFolder('report'), `${name}.html`)
  const write = createHtmlReporter(builtAssets)
  const file = await open(path, 'w')
  try {
    const recording = { events: () => asStream(typeof events === 'function' ? events() : events) }
    for await (const text of write(recording, { columns: 80, color: false, verbose: false })) await file.write(text)
  } finally {
    await file.close()
  }
  return pathToFileURL(path).href
}

/** Writes the page of a comparison and returns its `file:` address. */
export async function writeComparison(before: RunEvent[], after: RunEvent[]): Promise<string> {
  const runs = { before: { events: () => asStream(before) }, after: { events: () => asStream(after) } }
  const compared = await compareRuns(runs.before, runs.after)
  const path = join(newFolder('compare'), 'comparison.html')
  await writeChunks(path, compareHtml(compared, runs, builtAssets))
  return pathToFileURL(path).href
}

/** The page answers a moment after a click: looks until it is as expected. */
export function soon<T>(read: () => Promise<T>) {
  return expect.poll(read, { timeout: 15_000 })
}
