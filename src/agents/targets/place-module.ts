// Where the compiled form of a user's module is placed while it is imported.
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cannotWrite } from '../../files/cannot-write.js'
import { requireNotLinkedOut } from '../../files/linked-out.js'
import { makeFolders } from '../../files/make-folders.js'

export interface PlacedModule {
  path: string
  /** What must stay for as long as the module may import packages. */
  folder?: string
}

/** Packages are looked up from where the code is: inside the user's own node_modules if that can be written. */
export function placeModule(source: string, name: string, code: string): PlacedModule {
  const modules = nodeModulesAbove(source)
  const [nearest] = modules
  const beside = nearest === undefined ? undefined : writeBeside(nearest, name, code)
  return beside ?? writeApart(modules, name, code)
}

function writeBeside(modules: string, name: string, code: string): PlacedModule | undefined {
  const path = join(modules, '.viva', name)
  requireNotLinkedOut(dirname(path), 'the cache of compiled modules', [modules])
  try {
    makeFolders(dirname(path))
    writeFileSync(path, code)
    return { path }
  } catch {
    // An installation may be read-only, or belong to another user.
    return undefined
  }
}

/** A private folder that sees the same packages through links. */
function writeApart(modules: string[], name: string, code: string): PlacedModule {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'viva-module-'))
    let inner = folder
    for (const target of modules.toReversed()) {
      symlinkSync(target, join(inner, 'node_modules'), 'junction')
      inner = join(inner, 'in')
      mkdirSync(inner)
    }
    const path = join(inner, name)
    writeFileSync(path, code)
    return { path, folder }
  } catch (error) {
    throw cannotWrite(tmpdir(), error, 'set TMPDIR to a folder that can be written')
  }
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
