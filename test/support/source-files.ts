// The files of the product: everything in src/ that is not a test.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run-cli.js'

export function productFiles(): string[] {
  const all = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
