// Key-value spaces (`ctx.memory.chat`, `Store("cache")`): the data is the host's, so that every process sees the same.

/** Both spellings: `Get` as in the original, `get` as in the specification. */
const SPACE_CALLS = [
  'Get',
  'Set',
  'Has',
  'Del',
  'GetDel',
  'GetSet',
  'Keys',
  'Len',
  'Clear',
  'Incr',
  'Decr',
  'Push',
  'Pop',
  'Pull',
  'PullAll',
  'AddToSet',
  'ArrayLen',
  'ArrayGet',
  'ArraySet',
  'ArraySlice',
  'ArrayPage',
  'ArrayAll',
] as const

export function makeSpace(
  labels: Record<string, string>,
  ask: (op: string, args: unknown[]) => unknown,
): Record<string, unknown> {
  const space: Record<string, unknown> = { ...labels }
  for (const name of SPACE_CALLS) {
    const call = (...args: unknown[]): unknown => {
      // `GetSet(key, fn)`: the value is computed here, where the function is.
      if (name === 'GetSet' && typeof args[1] === 'function') return getOrMake(args, ask)
      return ask(name, args)
    }
    space[name] = call
    space[`${name[0]?.toLowerCase()}${name.slice(1)}`] = call
  }
  return space
}

function getOrMake(args: unknown[], ask: (op: string, args: unknown[]) => unknown): unknown {
  const [key, make, ttl] = args
  const known = ask('Get', [key])
  if (known !== null && known !== undefined) return known
  const value = (make as (key: unknown) => unknown)(key)
  ask('Set', [key, value, ttl])
  return value
}
