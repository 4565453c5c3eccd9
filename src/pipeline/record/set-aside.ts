// `-o x.jsonl` when x.jsonl holds an older run: that one is kept under another name, so that nothing is lost.
import { closeSync, existsSync, linkSync, lstatSync, openSync, readSync, renameSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeFolders } from '../../files/make-folders.js'
import { fileTime } from './file-time.js'

/** Where it is now; undefined for what is not the event file of a run, and for a link. */
export function setAside(path: string, folder: string): string | undefined {
  const started = startOf(path)
  if (started === undefined || lstatSync(path).isSymbolicLink()) return undefined
  makeFolders(folder)
  const stem = join(folder, `${basename(path).replace(/\.jsonl$/i, '')}-${fileTime(started)}`)
  for (let n = 1; ; n += 1) {
    const target = n === 1 ? `${stem}.jsonl` : `${stem}-${n}.jsonl`
    if (existsSync(target)) continue
    if (move(path, target)) return target
  }
}

/** When the run began, according to its first line. */
function startOf(path: string): Date | undefined {
  const fd = openSync(path, 'r')
  try {
    const block = Buffer.alloc(256)
    const text = block.toString('utf8', 0, readSync(fd, block, 0, block.length, 0))
    const found = /^\{"type":"start","format":\d+,"timestamp":"([^"]+)"/.exec(text)
    const time = new Date(found?.[1] ?? '')
    return Number.isNaN(time.getTime()) ? undefined : time
  } finally {
    closeSync(fd)
  }
}

/** A rename would replace what another process has put there meanwhile. */
function move(path: string, target: string): boolean {
  try {
    linkSync(path, target)
    unlinkSync(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A file system without hard links.
    renameSync(path, target)
    return true
  }
}
