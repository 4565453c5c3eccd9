// Where the compiled form of a user's module lies while it is imported.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'

/** Packages are looked up from where the code lies: inside the user's own node_modules when that can be written. */
export function placeModule(source: string, name: string, code: string): string {
  const modules = nodeModulesAbove(source)
  return (modules[0] && writeBeside(modules[0], name, code)) ?? writeApart(modules, name, code)
}

function writeBeside(modules: string, name: string, code: string): string | undefined {
  const path = join(modules, '.viva', name)
  try {
    makeFolders(dirname(path))
    writeFileSync(path, code)
    return path
  } catch {
    // An installation may be read-only, or belong to somebody else.
    return undefined
  }
}

/** A private folder that sees the same packages through links. */
function writeApart(modules: string[], name: string, code: string): string {
  try {
    let folder = mkdtempSync(join(privateFolder(), 'module-'))
    for (const target of modules.toReversed()) {
      symlinkSync(target, join(folder, 'node_modules'), 'junction')
      folder = join(folder, 'in')
      mkdirSync(folder)
    }
    const path = join(folder, name)
    writeFileSync(path, code)
    return path
  } catch (error) {
    throw cannotWrite(tmpdir(), error, 'set TMPDIR to a folder that can be written')
  }
}

let made: string | undefined

/** Kept until the process ends: a module may import a package as late as in its last call. */
function privateFolder(): string {
  if (made === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'viva-modules-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    made = folder
  }
  return made
}

/** The nearest first. */
function nodeModulesAbove(file: string): string[] {
  const found: string[] = []
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (existsSync(modules)) found.push(modules)
  }
  return found
}
