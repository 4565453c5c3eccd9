// What dist/ is built from, as one hash: a build of the same inputs is not repeated.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['src', 'templates', 'build']
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']

export function hashInputs(root) {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const hash = createHash('sha256').update(process.version)
  for (const path of [...paths.toSorted(), ...FILES.map((name) => join(root, name))])
    hash.update(`\0${path.slice(root.length)}\0`).update(readFileSync(path))
  return hash.digest('hex')
}
