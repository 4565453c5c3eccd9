// The reporters in a process of their own, bundled with the browser application they embed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildViewer } from '../../build/viewer.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const work = join(root, 'bench/.work')
const child = join(work, 'report-child/child.js')

/** Returns a folder for files, and a function that writes one report and measures it. */
export async function buildChild(results) {
  mkdirSync(work, { recursive: true })
  const files = mkdtempSync(join(work, 'reports-'))
  await build({
    entryPoints: [join(root, 'bench/reports/child.ts')],
    outdir: join(work, 'report-child'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  // The HTML reporter looks for the browser application upward from where it runs.
  await buildViewer({ outdir: join(work, 'report-child/dist/viewer') })
  const run = (format, from, to) => {
    try {
      const text = execFileSync(process.execPath, [child, format, from, to, String(results)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      return JSON.parse(text.toString())
    } catch (error) {
      return { format, error: /\w*Error: .*/.exec(String(error.stderr ?? error))?.[0] ?? String(error) }
    }
  }
  return { files, run }
}
