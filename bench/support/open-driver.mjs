// Bundles a driver of a benchmark (`decisions/drive`) with the sources it measures, and runs parts of it.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './paths.mjs'

export async function openDriver(name) {
  const outfile = join(ROOT, 'bench/.work', `${name}.mjs`)
  mkdirSync(dirname(outfile), { recursive: true })
  await build({
    entryPoints: [join(ROOT, 'bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return (what, tries, ...rest) =>
    JSON.parse(execFileSync(process.execPath, [outfile, what, String(tries), ...rest], { encoding: 'utf8' }))
}
