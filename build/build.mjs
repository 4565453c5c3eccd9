// Builds dist/: the JavaScript (bundled with shared chunks, so that start-up opens few files), the viewer, the types.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (path) => `${root}${path}`

rmSync(at('dist'), { recursive: true, force: true })

const entries = ['src/cli/main.ts', 'src/index.ts', 'src/scripts/child.ts', 'src/util/regex-worker.ts'].filter((path) =>
  existsSync(at(path)),
)
await build({
  absWorkingDir: root,
  entryPoints: entries,
  outbase: 'src',
  outdir: 'dist',
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
  await buildViewer({ outdir: at('dist/viewer') })
}

if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', at('tsconfig.build.json')], {
    stdio: 'inherit',
  })
}
