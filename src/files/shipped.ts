// Files that ship with Viva beside its code: built-in helpers, templates and the command itself.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

let root: string | undefined

/** Absolute. In a checkout and in an installed package alike. */
export function shippedPath(...parts: ['helpers' | 'templates' | 'bin', ...string[]]): string {
  root ??= findRoot(dirname(fileURLToPath(import.meta.url)))
  return join(root, ...parts)
}

/** The text of a template. */
export function readTemplate(path: string): string {
  return readFileSync(shippedPath('templates', path), 'utf8')
}

/** A template, or all of those in a folder: path → text. The folder itself is not part of the path. */
export function readTemplates(path: string): Record<string, string> {
  const start = shippedPath('templates', path)
  if (statSync(start).isFile()) return { [basename(start)]: readTemplate(path) }
  const entries = readdirSync(start, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    files.toSorted().map((file) => [relative(start, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  )
}

// Sources and the built package differ in depth, so it is searched upward.
function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'helpers', 'judge', 'package.yao'))) return folder
    if (dirname(folder) === folder)
      throw new Error(`the folder "helpers" of viva is missing above ${from}: reinstall viva`)
  }
}
