// Bundles a driver of this folder with the sources it measures, and runs parts of it.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from '../support/paths.mjs'

export async function openDriver(name) {
  const outfile = join(ROOT, 'bench/.work/decisions', `${name}.mjs`)
  mkdirSync(join(ROOT, 'bench/.work/decisions'), { recursive: true })
  await build({
    entryPoints: [join(ROOT, 'bench/decisions', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return (what, tries) =>
    JSON.parse(execFileSync(process.execPath, [outfile, what, String(tries)], { encoding: 'utf8' }))
}
