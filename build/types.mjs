// The types that users get: what can be reached from the library, in one file, and what `viva/vitest` adds to it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

export async function buildTypes(root, outdir) {
  const emitted = join(outdir, 'types')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', emitted], {
    cwd: root,
    stdio: 'inherit',
  })
  const made = await rollup({
    input: join(emitted, 'index.d.ts'),
    plugins: [dts()],
    external: (id) => !/^[./]/.test(id),
  })
  const types = join(outdir, 'index.d.ts')
  await made.write({ file: types })
  // Four spaces for each level are a twelfth of the file.
  writeFileSync(
    types,
    readFileSync(types, 'utf8').replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 4)),
  )
  copyFileSync(join(emitted, 'vitest.d.ts'), join(outdir, 'vitest.d.ts'))
  rmSync(emitted, { recursive: true })
}
