// Types and tests, as a project of its own would check them.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)
const bin = (name, path) => join(dirname(require.resolve(`${name}/package.json`)), path)

run(bin('typescript', 'bin/tsc'), ['-p', here])
run(bin('vitest', 'vitest.mjs'), ['run', '--root', here])

function run(program, args) {
  execFileSync(process.execPath, [program, ...args], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] })
}
