// Drops keys whose value is undefined, so that absent means absent in every file we write.

export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

export function defined<T extends object>(value: T): Defined<T> {
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) if (item !== undefined) result[key] = item
  return result as Defined<T>
}
