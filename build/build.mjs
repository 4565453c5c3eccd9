// Builds dist/: the JavaScript, the viewer, the types.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundle } from './bundle.mjs'
import { hashInputs } from './inputs.mjs'
import { buildTypes } from './types.mjs'
import { buildViewer } from './viewer.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

// Kept beside the package's files, but not shipped.
const STAMP = 'dist/.inputs'
const inputs = hashInputs(root)
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) process.exit(0)

// Built beside and swapped in whole: a failed build leaves the last good one, a running command never sees half of one.
const next = `dist.${process.pid}`
process.on('exit', () => rmSync(next, { recursive: true, force: true }))

await bundle(root, join(root, next))

// The children that run users' scripts and module agents start often: one CommonJS file is the cheapest thing to start.
const children = { 'src/scripts/child': 'scripts/child.cjs', 'src/agents/module-host/child': 'agents/module-child.cjs' }
for (const [folder, outfile] of Object.entries(children))
  await build({
    entryPoints: [`${folder}/main.ts`],
    outfile: `${next}/${outfile}`,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
  })

// `viva/vitest`: vitest is an ES module, and everything of ours comes from the library beside it.
await build({
  entryPoints: ['src/vitest.ts'],
  outfile: `${next}/vitest.js`,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
})

await buildViewer({ outdir: join(root, next, 'viewer') })

await buildTypes(root, join(root, next))
writeFileSync(join(next, '.inputs'), inputs)

// Two renames: there is no time in which a command that starts finds no build, or half of one.
const old = `dist.old.${process.pid}`
if (existsSync('dist')) renameSync('dist', old)
renameSync(next, 'dist')
rmSync(old, { recursive: true, force: true })
