// Generates docs/reference/ and the types of assertions from the definitions that the help, the checks and the schemas use. `--check` only compares.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const check = process.argv.includes('--check')
const temporary = join(root, 'node_modules', '.viva-docs')

await build({
  absWorkingDir: root,
  entryPoints: { pages: 'build/reference-pages.ts' },
  outdir: temporary,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
})
const { generatedFiles } = await import(pathToFileURL(join(temporary, 'pages.mjs')).href)
const pages = await generatedFiles()
rmSync(temporary, { recursive: true, force: true })

const stale = []
for (const [name, text] of Object.entries(pages)) {
  const path = join(root, name)
  if (check) {
    let before = ''
    try {
      before = readFileSync(path, 'utf8')
    } catch {
      // A page that is missing is stale.
    }
    if (before !== text) stale.push(name)
    continue
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
if (stale.length > 0) {
  console.error(`generated files are stale: ${stale.join(', ')}; run npm run docs`)
  process.exit(1)
}
