// Rooms of the product, bundled from the sources: to call them thousands of times without a process each.
import { build } from 'esbuild'
import { ROOT, WORK } from './paths.mjs'

/** `bench`: the folder whose `entry.ts` exports what is measured. */
export async function loadProduct(bench) {
  const outfile = `${WORK}${bench}-product.mjs`
  await build({
    entryPoints: [`${ROOT}bench/${bench}/entry.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return import(`${outfile}?${process.pid}`)
}
