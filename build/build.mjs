// Builds dist/: the JavaScript (bundled with shared chunks, so that start-up opens few files), the viewer, the types.
import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (path) => `${root}${path}`

// Built beside and swapped in whole: a failed build leaves the last good one, a running command never sees half of one.
const next = `dist.${process.pid}`

process.on('exit', () => rmSync(at(next), { recursive: true, force: true }))

const entries = ['src/cli/main.ts', 'src/index.ts', 'src/scripts/child.ts', 'src/util/regex-worker.ts'].filter((path) =>
  existsSync(at(path)),
)
await build({
  absWorkingDir: root,
  entryPoints: entries,
  outbase: 'src',
  outdir: next,
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
  logLevel: 'warning',
})

if (existsSync(at('build/viewer.mjs'))) {
  const { buildViewer } = await import('./viewer.mjs')
  await buildViewer({ outdir: at(`${next}/viewer`) })
}

if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', at('tsconfig.build.json'), '--outDir', at(next)], {
    stdio: 'inherit',
  })
}

rmSync(at('dist'), { recursive: true, force: true })
renameSync(at(next), at('dist'))
