/** Items by what `keyOf` says of each, in the order of their first. */
export function group(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
