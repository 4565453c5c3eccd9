// The snapshots of one run: compares, writes what was asked for, and leaves the rest for a person to review.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { unixLines } from '../base/text.js'
import { sortedEntries } from '../files/entries.js'
import { isInside } from '../files/inside.js'
import { replaceFile } from '../files/replace-file.js'
import type { SnapshotOutcome, SnapshotRequest, Snapshots } from '../model/snapshot.js'
import { hiddenName } from '../redact/hidden-name.js'
import { changeAsked, type AskedIndex } from './asked.js'
import { PENDING, SNAPSHOT, snapshotFileName, WORKSPACE } from './file-name.js'
import { isNoteOf, type SnapshotNote } from './note.js'
import { renderSnapshot, type RenderInit } from './render.js'
import { hasOtherKey, KEY_NAME } from './watch.js'

export interface SnapshotStoreInit extends RenderInit {
  /** Where the snapshots of this case file are. */
  folder: string
  /** What the folder must stay inside of, links resolved. */
  root: string
  /** `-U`: write what differs or is missing. */
  update: boolean
  /** The snapshots as they were before the first case: none is accepted during the run, least of all by the agent. */
  before: SnapshotStamps
  /** What was asked when they were accepted. */
  accepted?: AskedIndex
  /** Whether to keep a differing answer beside the snapshot, for review: never in CI. */
  keepPending: boolean
}

/** Path below the folder → something that changes when the file does. */
export type SnapshotStamps = ReadonlyMap<string, string>

export function stampsOf(folder: string): SnapshotStamps {
  return new Map(snapshotNames(folder).map((name) => [name, stampOf(join(folder, name))]))
}

export interface SnapshotCounts {
  written?: number
  pending?: number
  /** Names of files that no assertion of this run has read. */
  obsolete?: string[]
}

export class SnapshotStore implements Snapshots {
  readonly #init: SnapshotStoreInit
  /** Files that an assertion has read. */
  readonly #read = new Set<string>()
  /** And their current content. */
  readonly #written = new Map<string, string>()
  readonly #pending = new Set<string>()
  /** By name, for the file beside them; undefined: no longer there. */
  readonly #asked = new Map<string, string | undefined>()

  constructor(init: SnapshotStoreInit) {
    this.#init = init
  }

  /** `keep`: what happens to the files; they may be elsewhere. */
  compare(request: SnapshotRequest, keep: (note: SnapshotNote) => void = (note) => this.#keep(note)): SnapshotOutcome {
    const file = this.#fileOf(request)
    const name = relative(this.#init.folder, file).split(sep).join('/')
    const { content, unwatched } = renderSnapshot(request.value, request.redactions, { ...this.#init, scope: name })
    if (unwatched !== undefined) return { state: 'unchecked', why: unwatched }
    if (!this.#init.update) this.#requireUntouched(file)
    const saved = this.#written.get(file) ?? readSnapshot(file)
    const { asked } = request
    const accepted = this.#asked.get(name) ?? this.#init.accepted?.get(name)
    const asksElse = asked !== undefined && accepted !== undefined && accepted !== asked
    const told = asked === undefined ? {} : { asked }
    if (saved === content && !asksElse) {
      keep({ name, state: 'same', ...told })
      return { state: 'same', content }
    }
    // Of several runs the first is accepted, and the others are compared with it.
    if (this.#init.update && !this.#written.has(file)) {
      keep({ name, state: 'written', content, ...told })
      this.#written.set(file, content)
      return { state: 'written', content }
    }
    if (saved !== undefined && hasOtherKey(saved, this.#init.key))
      return {
        state: 'unchecked',
        why: `the snapshot was accepted with another ${KEY_NAME}, so a change cannot be seen`,
      }
    const pending = this.#init.keepPending ? pendingOf(file) : undefined
    keep({ name, state: 'different', ...(pending !== undefined && { content, ...told }) })
    const state = saved === undefined ? 'missing' : saved === content ? 'asks_else' : 'different'
    return { state, content, file, ...(saved !== undefined && { saved }), ...(pending !== undefined && { pending }) }
  }

  /** What a case that ran elsewhere found. Returns what is wrong with that. */
  take(note: unknown, caseId: string): string | undefined {
    const { folder, root, secrets, update } = this.#init
    if (!isNoteOf(note, hiddenName(caseId, secrets))) return `a snapshot of ${caseId} has an unexpected shape`
    const file = join(folder, note.name)
    if (!isInside(root, file) || (note.state === 'written' && !update))
      return `the snapshot ${note.name} must not be written`
    const content = secrets.text(note.content ?? '')
    const before = this.#written.get(file)
    // Two cases that ran side by side have accepted two answers for the same snapshot.
    if (note.state === 'written' && before !== undefined)
      return before === content ? undefined : `${note.name} was accepted with two answers; the first one is kept`
    this.#keep({ ...note, content })
    return undefined
  }

  #keep({ name, state, content = '', asked }: SnapshotNote): void {
    const { folder, keepPending, update } = this.#init
    const file = join(folder, name)
    this.#read.add(file)
    if (state === 'different') {
      if (asked !== undefined && keepPending && !this.#pending.has(file)) this.#asked.set(pendingOf(name), asked)
      return this.#keepPending(file, content)
    }
    if (asked !== undefined && (state === 'written' || update)) this.#asked.set(name, asked)
    if (state === 'written') {
      replaceFile(file, `${content}\n`)
      this.#written.set(file, content)
    }
    if (state === 'written' || !this.#pending.has(file)) this.#forgetPending(file)
  }

  /** After the last comparison. */
  flush(): void {
    changeAsked(this.#init.folder, this.#asked)
  }

  /** `whole`: every assertion of every case was evaluated, so whatever was not read is obsolete. */
  counts(whole: boolean): SnapshotCounts | undefined {
    const written = this.#written.size
    const pending = this.#pending.size
    const obsolete = whole ? this.#obsolete() : []
    if (written + pending + obsolete.length === 0) return undefined
    return {
      ...(written > 0 && { written }),
      ...(pending > 0 && { pending }),
      ...(obsolete.length > 0 && { obsolete }),
    }
  }

  #fileOf({ case_id, name }: SnapshotRequest): string {
    const { folder, root, secrets } = this.#init
    const shown = case_id === undefined ? undefined : hiddenName(case_id, secrets)
    const file = join(folder, snapshotFileName(shown, name))
    if (!isInside(root, file)) throw new Error(`${file} leads out of ${root}`)
    return file
  }

  #requireUntouched(file: string): void {
    if (stampOf(file) === (this.#init.before.get(relative(this.#init.folder, file)) ?? ABSENT)) return
    throw new Error(`the snapshot ${file} was changed during the run: check its content, and run again`)
  }

  #keepPending(file: string, content: string): void {
    if (!this.#init.keepPending) return
    if (!this.#pending.has(file)) replaceFile(pendingOf(file), `${content}\n`)
    this.#pending.add(file)
  }

  #forgetPending(file: string): void {
    if (this.#init.keepPending || this.#init.update) rmSync(pendingOf(file), { force: true })
  }

  #obsolete(): string[] {
    const { folder } = this.#init
    return snapshotNames(folder).filter((name) => !this.#read.has(join(folder, name)))
  }
}

const ABSENT = ''

/** Those of workspaces are one folder deeper. */
function snapshotNames(folder: string): string[] {
  const inside = (below: string): string[] =>
    sortedEntries(join(folder, below)).flatMap((entry) =>
      entry.name.endsWith(SNAPSHOT) ? join(below, entry.name) : [],
    )
  return [...inside(''), ...inside(WORKSPACE)]
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : ABSENT
}

/** Undefined if there is none. One newline at the end belongs to the file, not to the answer. */
export function readSnapshot(file: string): string | undefined {
  try {
    return unixLines(readFileSync(file, 'utf8')).replace(/\n$/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function pendingOf(file: string): string {
  return `${file.slice(0, -SNAPSHOT.length)}${PENDING}`
}
