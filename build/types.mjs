// The types that users get: what can be reached from the library, in one file, and what `viva/vitest` adds to it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
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
  await made.write({ file: join(outdir, 'index.d.ts') })
  copyFileSync(join(emitted, 'vitest.d.ts'), join(outdir, 'vitest.d.ts'))
  rmSync(emitted, { recursive: true })
}
