// The new content of a recording's files → the files, each replaced atomically or not at all.
import { rmSync } from 'node:fs'
import { basename } from 'node:path'
import { replaceFile } from '../files/replace-file.js'
import { dropUnusedBodies, writeBodies, type Bodies } from './bodies.js'
import type { CassetteFiles } from './cassette-files.js'
import { renderCassette, type CassetteFacts, type Slot } from './write-cassette.js'

export interface Saved {
  files: CassetteFiles
  slots: readonly Slot[]
  /** Of a file; for an existing one `path` is its location. */
  facts(path: string): Omit<CassetteFacts, 'name'>
  /** Applied to the whole text, last of all. */
  finish?(text: string): string
}

/** Returns the files that have changed. */
export function saveCassettes({ files, slots, facts, finish = (text) => text }: Saved): string[] {
  const { cassettes, isFolder } = files
  const changed: string[] = []
  for (const [file, own] of byFile(slots, files)) {
    const old = cassettes.find(({ path }) => path === file)
    if (isFolder && old && own.length === 0) {
      rmSync(file, { force: true })
      dropUnusedBodies(file, '')
      changed.push(file)
      continue
    }
    const bodies: Bodies = new Map()
    const rendered = renderCassette(old, own, { ...facts(file), name: basename(file) }, bodies)
    const text = finish(rendered ?? old?.text ?? '')
    if (text === old?.text || (rendered === undefined && !old)) continue
    writeBodies(file, bodies)
    replaceFile(file, text)
    dropUnusedBodies(file, text)
    changed.push(file)
  }
  return changed
}

function byFile(slots: readonly Slot[], { cassettes, fileFor }: CassetteFiles): Map<string, Slot[]> {
  const homes = new Map(cassettes.flatMap(({ interactions }) => interactions.map((item) => [item.case, item.file])))
  const groups = new Map<string, Slot[]>(cassettes.map(({ path }) => [path, []]))
  for (const slot of slots) {
    const { case: id } = 'kept' in slot ? slot.kept : slot.written
    const instead = 'kept' in slot ? slot.kept : slot.instead
    const file = instead?.file ?? homes.get(id) ?? fileFor(id)
    const group = groups.get(file)
    if (group) group.push(slot)
    else groups.set(file, [slot])
  }
  return groups
}
