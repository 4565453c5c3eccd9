// Looking into data of unknown shape.

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** An empty one says nothing. */
export function readNonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function readList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Those in a list that are strings. */
export function readStrings(value: unknown): string[] {
  return readList(value).filter((item) => typeof item === 'string')
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Not what every object has, such as `constructor`. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** A number that can count or measure something. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
