// Whose value it is: a price that stands only in the record of another flight is not the price of this one.
import type { Ground } from './ground.js'
import type { Known } from './known.js'
import type { PlacedValue, Value } from './value.js'
import { valuesIn } from './values.js'

/** The ids that a value is said of: those of its line, else of the line above it in the same block that has some. */
export function idsBeside(text: string, value: PlacedValue, values: readonly PlacedValue[]): string[] {
  const ids = values.filter((each) => each !== value && each.kind === 'id')
  let end = text.indexOf('\n', value.end)
  if (end < 0) end = text.length
  for (let start = lineStart(text, value.start), lines = 0; lines < MOST_LINES; lines += 1) {
    const own = ids.filter((id) => id.start >= start && id.end <= end)
    if (own.length > 0) return own.flatMap((id) => (id.kind === 'id' ? [id.name.toLowerCase()] : []))
    if (start === 0) return []
    end = start - 1
    start = lineStart(text, end)
    if (text.slice(start, end).trim() === '') return []
  }
  return []
}

const MOST_LINES = 12

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/**
 * Where a value is said of some id, the one of those that it stands with. Undefined: it stands only with others of the
 * kind, though the records of the id have such values, too.
 */
export function ownOf(fitting: readonly Known[], ids: readonly string[], ground: Ground): readonly Known[] | undefined {
  const keys = new Set(ids.flatMap((id) => [...(ground.keyed.get(id)?.keys ?? [])]))
  if (keys.size === 0) return fitting
  const isOwn = ({ records }: Known) => records.some((record) => Object.values(record).some((item) => isOne(item, ids)))
  const isOthers = (known: Known) =>
    !isOwn(known) && known.records.some((record) => [...keys].some((key) => isId(record[key])))
  const own = fitting.filter(isOwn)
  if (own.length > 0) return own
  const rest = fitting.filter((known) => !isOthers(known))
  if (rest.length > 0) return rest
  const kind = fitting[0]?.value.kind
  const hasSuch = ids.some((id) =>
    ground.keyed
      .get(id)
      ?.records.slice(0, 20)
      .some((record) => has(record, kind, ground)),
  )
  return hasSuch ? undefined : fitting
}

function isOne(item: unknown, ids: readonly string[]): boolean {
  return typeof item === 'string' && ids.includes(item.toLowerCase())
}

function isId(item: unknown): boolean {
  return typeof item === 'string' && item !== ''
}

/** Whether a record has a date, or a number, at any depth. */
function has(value: unknown, kind: Value['kind'] | undefined, ground: Ground): boolean {
  if (typeof value === 'number') return kind !== 'date'
  if (typeof value === 'string')
    return value.length < 60 && valuesIn(value, ground.language).some((each) => each.kind === kind)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((item) => has(item, kind, ground))
}
