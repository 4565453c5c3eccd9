// Where each id of a source was first seen: a line and, with several files, which one.
import { IdTable } from '../../base/id-table.js'

export interface SeenAt {
  /** Undefined: in the file that is being read. */
  label?: string
  line: number
}

export class SeenIds {
  readonly #table = new IdTable()
  /** Lines are numbered across all files: where each file begins. */
  readonly #files: Array<{ label: string; before: number }> = []
  #lines = 0

  /** About how many more to expect. */
  reserve(count: number): void {
    this.#table.reserve(count)
  }

  beginFile(label: string): void {
    this.#files.push({ label, before: this.#lines })
  }

  /** Where this id was seen before, if it was. */
  add(id: string, line: number): SeenAt | undefined {
    const file = this.#files.at(-1)
    const before = file?.before ?? 0
    if (before + line > this.#lines) this.#lines = before + line
    const earlier = this.#table.add(id, before + line)
    if (earlier === 0) return undefined
    if (earlier > before) return { line: earlier - before }
    const first = this.#files.findLast((other) => other.before < earlier)
    return first ? { label: first.label, line: earlier - first.before } : { line: earlier }
  }
}
