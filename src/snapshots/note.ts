// The outcome of one comparison, as data: the files may be kept elsewhere.
import { isRecord } from '../base/record.js'
import { fileSafe } from '../files/file-safe.js'
import { SNAPSHOT, WORKSPACE } from './file-name.js'

export interface SnapshotNote {
  /** Of the snapshot, below the folder, with `/`. */
  name: string
  state: 'same' | 'written' | 'different'
  /** Its current content, if that is to be kept. */
  content?: string
  /** What the case asks, if that is known. */
  asked?: string
}

const STATES: ReadonlySet<unknown> = new Set<SnapshotNote['state']>(['same', 'written', 'different'])

/** Whether it can come from a case with this id. */
export function isNoteOf(note: unknown, caseName: string): note is SnapshotNote {
  if (!isRecord(note)) return false
  const { name, state, content, asked } = note
  if (typeof name !== 'string' || !STATES.has(state)) return false
  if ([content, asked].some((text) => text !== undefined && typeof text !== 'string')) return false
  const own = [`${fileSafe(caseName)}.`, `${WORKSPACE}/`].find((start) => name.startsWith(start))
  const rest = own === undefined ? '' : name.slice(own.length)
  return rest.endsWith(SNAPSHOT) && rest !== SNAPSHOT && !/[/\\\0]/.test(rest)
}
