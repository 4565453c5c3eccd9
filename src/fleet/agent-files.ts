// The files of a run's agents, on this machine.
import { resolve, sep } from 'node:path'
import { pathBelow } from '../files/inside.js'
import { isFile } from '../files/stat.js'
import type { VariantSpec } from '../model/variant.js'

/** Below `root`, those that `-n` names: modules, and any files among the words of a command. */
export function agentFiles(variants: readonly VariantSpec[], cwd: string, root: string): string[] {
  const words = variants.flatMap(({ target = '' }) => target.replace(/^[a-z0-9]+:/, '').split(/\s+/))
  return words.flatMap((word) => {
    const path = resolve(cwd, word.replace(/#[^#]*$/, ''))
    const way = isFile(path) ? pathBelow(root, path) : undefined
    return way === undefined || way === '' ? [] : posix(way)
  })
}

/** As it is written in a run's description. */
export function posix(path: string): string {
  return path.split(sep).join('/')
}
