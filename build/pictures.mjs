// `npm run pictures`: docs/pictures from real runs of this build. `npm run pictures -- report dark` makes only some.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const temporary = join(root, 'node_modules', '.viva-pictures')

await build({
  absWorkingDir: root,
  entryPoints: { pictures: 'build/pictures.ts' },
  outdir: temporary,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
})
try {
  const { makePictures } = await import(pathToFileURL(join(temporary, 'pictures.mjs')).href)
  await makePictures(root, process.argv.slice(2))
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
