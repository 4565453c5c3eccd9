// Checks the types of the sources, the viewer and the templates. `tsc` alone would be TypeScript 6, which brings a command of that name, too.
import { spawnSync } from 'node:child_process'

const PROJECTS = ['tsconfig.json', 'src/viewer/app/tsconfig.json', 'templates/tsconfig.json']

for (const project of PROJECTS) {
  const checked = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project], {
    stdio: 'inherit',
  })
  if (checked.status !== 0) process.exit(1)
}
