// Bundles a driver and the child's entry into a folder of their own, as the build does, so that no start-up work of the
// development set-up is measured.
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function buildDriver(name) {
  const parent = join(root, 'node_modules', '.cache')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'bench-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const common = { bundle: true, platform: 'node', target: 'node20', logLevel: 'error' }
  await build({
    ...common,
    entryPoints: [fileURLToPath(new URL(`./drive-${name}.ts`, import.meta.url))],
    outfile: join(folder, 'driver.mjs'),
    format: 'esm',
    packages: 'external',
  })
  await build({
    ...common,
    entryPoints: [join(root, 'src/scripts/child/main.ts')],
    outfile: join(folder, 'child.cjs'),
    format: 'cjs',
    legalComments: 'none',
  })
  return folder
}
