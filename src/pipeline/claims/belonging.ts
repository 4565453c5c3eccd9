// Whose value it is: a price that stands only in the record of another flight is not the price of this one.
import type { Candidates } from './candidates.js'
import type { Ground } from './ground.js'
import type { Known } from './known.js'
import { firstFrom, once } from './text.js'
import type { Place, PlacedValue, Value } from './value.js'
import { valuesIn } from './values.js'

/** What stands around a value. The same for all values of a line. */
export interface Around {
  /** The words of its line. */
  words: readonly string[]
  /** The ids that it is said of: those of its line, else of the line above it in the same block that has some. */
  ids: readonly string[]
}

export function aroundIn(text: string, values: readonly PlacedValue[]): (place: Place) => Around {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineOf = (at: number) => firstFrom(starts, at + 1, (start) => start) - 1
  const textOf = (line: number) => text.slice(starts[line], (starts[line + 1] ?? text.length + 1) - 1)
  const own = new Map<number, string[]>()
  for (const value of values) {
    if (value.kind !== 'id') continue
    const line = lineOf(value.start)
    own.set(line, [...(own.get(line) ?? []).slice(0, MOST_IDS), value.name.toLowerCase()])
  }
  const idsOf = (line: number): string[] => {
    for (let at = line; at >= 0 && at > line - MOST_LINES; at -= 1) {
      const found = own.get(at)
      if (found) return found
      if (at < line && textOf(at).trim() === '') return []
    }
    return []
  }
  const known = new Map<number, Around>()
  return ({ start }) => {
    const line = lineOf(start)
    const around = known.get(line) ?? {
      words:
        textOf(line)
          .slice(0, 4000)
          .toLowerCase()
          .match(/\p{L}{2,}/gu)
          ?.slice(0, 60) ?? [],
      ids: idsOf(line),
    }
    known.set(line, around)
    return around
  }
}

const MOST_LINES = 12
/** In a line with more of them it is not clear which is meant. */
const MOST_IDS = 50

/**
 * Where a value is said of some id, the one of those that it stands with. Undefined: it stands only with others of the
 * kind, though the records of the id have such values, too.
 */
export function ownOf(candidates: Candidates, around: Around, ground: Ground): readonly Known[] | undefined {
  const { all } = candidates
  if (around.ids.length === 0 || all.length === 0) return all
  const whose = whoseOf(ground)(around)
  if (whose.keys.size === 0) return all
  const own = candidates.inside(whose.records)
  if (own.length > 0) return own
  const rest = candidates.without(whose.keys)
  if (rest.length > 0) return rest
  const kind = all[0]?.value.kind ?? 'number'
  return whose.has(kind) ? undefined : all
}

interface Whose {
  keys: ReadonlySet<string>
  records: ReadonlySet<Record<string, unknown>>
  has(kind: Value['kind']): boolean
}

const whoseOf = once((ground: Ground) =>
  once(({ ids }: Around): Whose => {
    const entries = ids.flatMap((id) => ground.keyed.get(id) ?? [])
    const kinds = new Map<Value['kind'], boolean>()
    return {
      keys: new Set(entries.flatMap(({ keys }) => [...keys])),
      records: new Set(entries.flatMap(({ records }) => records)),
      has: (kind) => {
        const known = kinds.get(kind)
        if (known !== undefined) return known
        const found = entries
          .slice(0, 20)
          .some(({ records }) => records.slice(0, 20).some((record) => hasKind(record, kind, ground)))
        kinds.set(kind, found)
        return found
      },
    }
  }),
)

/** Whether a record has a date, or a number, at any depth. */
function hasKind(value: unknown, kind: Value['kind'], ground: Ground): boolean {
  if (typeof value === 'number') return kind !== 'date'
  if (typeof value === 'string')
    return value.length < 60 && valuesIn(value, ground.language).some((each) => each.kind === kind)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((item) => hasKind(item, kind, ground))
}
