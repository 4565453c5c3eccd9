// What a script file exports, `export * from "./other"` followed into the user's own files.
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isFile } from '../../files/stat.js'
import type { ScriptSyntax } from './parse.js'
import { SCRIPT_ENDS } from './paths.js'

export interface ExportedNames {
  names: string[]
  /** What could not be followed: packages, and files that do not exist or cannot be parsed. */
  unknown: string[]
}

export async function exportedNames(
  file: string,
  syntax: ScriptSyntax,
  syntaxOf: (file: string, text: string) => Promise<ScriptSyntax>,
  seen = new Set<string>(),
): Promise<ExportedNames> {
  const found: ExportedNames = { names: [...syntax.exports], unknown: [] }
  seen.add(file)
  for (const star of syntax.stars) {
    const target = star.startsWith('.') ? relativeScript(resolve(dirname(file), star)) : undefined
    if (target === undefined) found.unknown.push(star)
    if (target === undefined || seen.has(target)) continue
    const other = await syntaxOf(target, await readFile(target, 'utf8'))
    if (other.problem) found.unknown.push(star)
    const { names, unknown } = await exportedNames(target, other, syntaxOf, seen)
    found.names.push(...names)
    found.unknown.push(...unknown)
  }
  return found
}

function relativeScript(path: string): string | undefined {
  const stem = path.replace(/\.js$/, '')
  return [path, ...SCRIPT_ENDS.map((end) => stem + end), ...SCRIPT_ENDS.map((end) => `${path}/index${end}`)].find(
    isFile,
  )
}
