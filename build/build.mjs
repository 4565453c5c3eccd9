// Builds dist/: the JavaScript, the viewer, the types. What every run needs is one file; the rest loads when first used.
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { parseSync } from 'oxc-parser'
import { rolldown } from 'rolldown'
import { buildViewer } from './viewer.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

// Built beside and swapped in whole: a failed build leaves the last good one, a running command never sees half of one.
const next = `dist.${process.pid}`
process.on('exit', () => rmSync(next, { recursive: true, force: true }))

const ENTRIES = { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' }

/** What a usual `viva test` needs: opening one file instead of a hundred halves the time to the first case. */
const CORE = [
  'src/cli/program.ts',
  'src/cli/commands/test.ts',
  'src/pipeline/sources/open-source.ts',
  'src/pipeline/assert/compile.ts',
  'src/agents/resolve.ts',
  'src/agents/echo.ts',
  'src/agents/http.ts',
  'src/pipeline/execute/conversation/turns.ts',
]
/** Small, needed at every start, and slow to find and read one by one. */
const BUNDLED = ['commander', 'picocolors', 'valibot']

// What was an ES module stays as strict as one.
const STRICT = `'use strict';`

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

/** Compiled code from a cache cannot load ES modules; a file that is loaded the usual way does it for it. */
function withoutImports(path) {
  const code = readFileSync(path, 'utf8')
  const { module } = parseSync(path, code, { sourceType: 'script' })
  let text = `${STRICT}const vivaImport = require('./import.cjs');`
  let from = 0
  for (const { start } of module.dynamicImports.toSorted((a, b) => a.start - b.start)) {
    text += `${code.slice(from, start)}vivaImport`
    from = start + 'import'.length
  }
  writeFileSync(path, text + code.slice(from))
  writeFileSync(join(dirname(path), 'import.cjs'), 'module.exports = (name) => import(name)\n')
}

const core = await coreModules()
const bundle = await rolldown({
  input: ENTRIES,
  platform: 'node',
  logLevel: 'warn',
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: 'allow-extension',
  external: (id) => !/^(\.|\/|src\/)/.test(id) && !BUNDLED.includes(id),
})
const isCore = (id) => core.has(id) || BUNDLED.some((name) => id.includes(join('node_modules', name)))
await bundle.write({
  dir: next,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: ({ name }) => (name === 'core' ? 'chunks/core.cjs' : 'chunks/[name]-[hash].cjs'),
  sourcemap: true,
  banner: STRICT,
  codeSplitting: { groups: [{ name: 'core', test: isCore }], includeDependenciesRecursively: false },
})
await bundle.close()
withoutImports(`${next}/chunks/core.cjs`)

// Whoever imports the library gets the same code as the commands: an error class must be one and the same for both.
const library = createRequire(import.meta.url)(join(root, next, 'index.cjs'))
const exported = Object.keys(library).sort().join(', ')
writeFileSync(`${next}/index.js`, `import library from './index.cjs'\nexport const { ${exported} } = library\n`)

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
execFileSync(process.execPath, [join(root, 'build/code-cache.cjs')], { stdio: 'inherit' })
