// Builds dist/: the JavaScript, the viewer, the types. What every run needs is one file; the rest loads when first used.
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { buildViewer } from './viewer.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

// Built beside and swapped in whole: a failed build leaves the last good one, a running command never sees half of one.
const next = `dist.${process.pid}`
process.on('exit', () => rmSync(next, { recursive: true, force: true }))

const ENTRIES = { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' }

/** The front of a plain `viva test`: opening one file instead of a hundred halves the time to the first case. */
const CORE = [
  'src/cli/program.ts',
  'src/cli/commands/test.ts',
  'src/pipeline/sources/open-source.ts',
  'src/pipeline/assert/compile.ts',
  'src/agents/resolve.ts',
  'src/agents/echo.ts',
]

async function coreModules() {
  const { metafile } = await build({
    entryPoints: CORE,
    outdir: next,
    write: false,
    bundle: true,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const found = new Set()
  const visit = (path) => {
    if (found.has(path)) return
    found.add(path)
    for (const { kind, external, path: target } of metafile.inputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) visit(target)
    }
  }
  CORE.forEach(visit)
  return new Set([...found].map((path) => join(root, path)))
}

const core = await coreModules()
const bundle = await rolldown({
  input: ENTRIES,
  platform: 'node',
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: 'allow-extension',
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('src/'),
})
await bundle.write({
  dir: next,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  sourcemap: true,
  codeSplitting: { groups: [{ name: 'core', test: (id) => core.has(id) }], includeDependenciesRecursively: false },
})
await bundle.close()

// The child that runs users' scripts starts once per file: one CommonJS file is the cheapest thing to start.
await build({
  entryPoints: ['src/scripts/child.ts'],
  outfile: `${next}/scripts/child.cjs`,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
})

await buildViewer({ outdir: join(root, next, 'viewer') })

if (!process.argv.includes('--no-types')) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', next], { stdio: 'inherit' })
}

// `/// <reference types="viva/testing" />`: the same text that `viva init --types` writes.
const { outputFiles } = await build({
  entryPoints: ['src/scripts/viva-types.ts'],
  write: false,
  format: 'esm',
  bundle: true,
})
const { VIVA_TYPES } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
writeFileSync(`${next}/testing.d.ts`, VIVA_TYPES)

rmSync('dist', { recursive: true, force: true })
renameSync(next, 'dist')
