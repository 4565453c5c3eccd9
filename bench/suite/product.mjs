// The rooms that are measured, bundled from the sources: 800 suites are too many for a process each.
import { build } from 'esbuild'
import { ROOT, WORK } from '../support/paths.mjs'

export async function loadProduct() {
  const outfile = `${WORK}suite-product.mjs`
  await build({
    entryPoints: [`${ROOT}bench/suite/entry.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return import(`${outfile}?${process.pid}`)
}
