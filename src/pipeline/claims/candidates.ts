// What is known that may be the value an answer names: by its record, and by whose record it is not.
import type { Known } from './known.js'

type DataRecord = Record<string, unknown>

export class Candidates {
  readonly all: readonly Known[]
  private byRecord: Map<DataRecord, Known[]> | undefined
  private readonly free = new Map<string, readonly Known[]>()

  constructor(all: readonly Known[]) {
    this.all = all
  }

  /** Those that are part of one of these records. */
  inside(records: ReadonlySet<DataRecord>): readonly Known[] {
    if (records.size > this.all.length)
      return this.all.filter((known) => known.records.some((record) => records.has(record)))
    this.byRecord ??= this.indexed()
    const { byRecord } = this
    return [...records].flatMap((record) => byRecord.get(record) ?? [])
  }

  /** Those in whose records none of these keys names anything. */
  without(keys: ReadonlySet<string>): readonly Known[] {
    const name = [...keys].join('\n')
    const known = this.free.get(name)
    if (known) return known
    const found = this.all.filter(
      ({ records }) => !records.some((record) => [...keys].some((key) => isId(record[key]))),
    )
    this.free.set(name, found)
    return found
  }

  private indexed(): Map<DataRecord, Known[]> {
    const found = new Map<DataRecord, Known[]>()
    for (const known of this.all)
      for (const record of known.records) {
        const list = found.get(record)
        if (list) list.push(known)
        else found.set(record, [known])
      }
    return found
  }
}

function isId(item: unknown): boolean {
  return typeof item === 'string' && item !== ''
}
