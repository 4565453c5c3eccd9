// The files of a run while it is going on: results of two versions of an agent must not pass for those of one.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicNow } from '../../time/clock.js'
import { hashOfFile } from '../manifest.js'

export interface Changes {
  /** What agents and verdicts depend on. */
  code: string[]
  /** Anything else: agents may write it. */
  data: string[]
}

const LOOK_EVERY_MS = 500
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|ps1|jar|wasm|node|yao|ya?ml|snap)$/

export class FileWatch {
  readonly #wanted: Record<string, string>
  readonly #root: string
  readonly #programs: ReadonlySet<string>
  /** By path, how the file system tells one content from another. */
  readonly #marks = new Map<string, string>()
  readonly #changed = new Set<string>()
  #looked: number | undefined

  /** `programs`: code as well, whatever their names say. */
  constructor(wanted: Record<string, string>, root: string, programs: readonly string[]) {
    this.#wanted = wanted
    this.#root = root
    this.#programs = new Set(programs)
    for (const path of Object.keys(wanted)) this.#marks.set(path, this.#markOf(path))
  }

  /** Since it was created; checked at most twice a second. */
  changes(): Changes {
    const now = monotonicNow()
    if (this.#looked === undefined || now - this.#looked >= LOOK_EVERY_MS) {
      this.#looked = now
      for (const [path, mark] of this.#marks) this.#look(path, mark)
    }
    const all = [...this.#changed]
    const isCode = (path: string): boolean => CODE.test(path) || this.#programs.has(path)
    return { code: all.filter(isCode), data: all.filter((path) => !isCode(path)) }
  }

  #look(path: string, before: string): void {
    const mark = this.#markOf(path)
    if (mark === before) return
    this.#marks.set(path, mark)
    if (!this.#isSame(path)) this.#changed.add(path)
  }

  #isSame(path: string): boolean {
    try {
      return hashOfFile(join(this.#root, path)) === this.#wanted[path]
    } catch {
      return false
    }
  }

  #markOf(path: string): string {
    const found = statSync(join(this.#root, path), { throwIfNoEntry: false })
    return found ? `${found.mtimeMs} ${found.ctimeMs} ${found.size} ${found.ino}` : 'gone'
  }
}
