// Which Viva this is, to the byte: two builds may have the same version.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../version.js'

/** `0.1.0+3f9a1c…`: the version, and a hash of the files that this one is among. */
export function buildId(): string {
  return `${version()}+${hashOfBuild()}`
}

function hashOfBuild(): string {
  const folder = dirname(fileURLToPath(import.meta.url))
  const hash = createHash('sha256')
  const names = readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name))
  for (const name of names.toSorted()) {
    hash.update(`${name}\0`)
    // Most names contain the hash of their content.
    if (!/-[\w-]{8}\.js$/.test(name)) hash.update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 12)
}
