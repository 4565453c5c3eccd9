// The data behind `ctx.memory` and `Store(name)`: kept by the host, so that every process of a conversation sees the same.
import { isEqual } from '../../base/equal.js'
import { epochNow } from '../../time/iso-now.js'

interface Item {
  value: unknown
  expires?: number
}

/** One space of keys. Operations are the original's; an unknown one is an error that lists them. */
export class KeyValueSpace {
  readonly #items = new Map<string, Item>()

  run(operation: string, args: unknown[]): unknown {
    const call = OPERATIONS[operation]
    if (!call) throw new Error(`unknown operation ${operation}: there are ${Object.keys(OPERATIONS).join(', ')}`)
    return call(this, args)
  }

  get(key: unknown): unknown {
    const item = this.#items.get(String(key))
    if (!item) return null
    if (item.expires !== undefined && item.expires <= epochNow()) {
      this.#items.delete(String(key))
      return null
    }
    return item.value
  }

  set(key: unknown, value: unknown, ttlSeconds?: unknown): void {
    const ttl = Number(ttlSeconds)
    this.#items.set(String(key), ttl > 0 ? { value, expires: epochNow() + ttl * 1000 } : { value })
  }

  /** `cache:*` matches everything with that prefix. */
  delete(key: unknown): void {
    const name = String(key)
    if (!name.includes('*')) this.#items.delete(name)
    else for (const known of this.keys()) if (matches(name, known)) this.#items.delete(known)
  }

  keys(): string[] {
    return [...this.#items.keys()].filter((key) => this.get(key) !== null)
  }

  clear(): void {
    this.#items.clear()
  }

  list(key: unknown): unknown[] {
    const value = this.get(key)
    return Array.isArray(value) ? value : value === null ? [] : [value]
  }

  count(key: unknown, by: number): number {
    const next = Number(this.get(key) ?? 0) + by
    this.set(key, next)
    return next
  }
}

type Operation = (space: KeyValueSpace, args: unknown[]) => unknown

const OPERATIONS: Record<string, Operation> = {
  Get: (space, [key]) => space.get(key),
  Set: (space, [key, value, ttl]) => space.set(key, value, ttl),
  Has: (space, [key]) => space.get(key) !== null,
  Del: (space, [key]) => space.delete(key),
  GetDel: (space, [key]) => {
    const value = space.get(key)
    space.delete(key)
    return value
  },
  GetSet: (space, [key, value, ttl]) => {
    const known = space.get(key)
    space.set(key, value, ttl)
    return known
  },
  Keys: (space) => space.keys(),
  Len: (space) => space.keys().length,
  Clear: (space) => space.clear(),
  Incr: (space, [key, by]) => space.count(key, Number(by ?? 1)),
  Decr: (space, [key, by]) => space.count(key, -Number(by ?? 1)),
  Push: (space, [key, ...values]) => put(space, key, [...space.list(key), ...flat(values)]),
  Pop: (space, [key]) => {
    const list = [...space.list(key)]
    const last = list.pop() ?? null
    space.set(key, list)
    return last
  },
  Pull: (space, [key, count]) => {
    const list = [...space.list(key)]
    const taken = list.splice(Math.max(0, list.length - Number(count ?? 1)))
    space.set(key, list)
    return taken
  },
  PullAll: (space, [key]) => {
    const list = space.list(key)
    space.delete(key)
    return list
  },
  AddToSet: (space, [key, ...values]) => {
    const list = [...space.list(key)]
    for (const value of flat(values)) if (!list.some((known) => isEqual(known, value))) list.push(value)
    return put(space, key, list)
  },
  ArrayLen: (space, [key]) => space.list(key).length,
  ArrayGet: (space, [key, index]) => space.list(key).at(Number(index)) ?? null,
  ArraySet: (space, [key, index, value]) => {
    const list = [...space.list(key)]
    const at = Number(index) < 0 ? list.length + Number(index) : Number(index)
    list[at] = value
    space.set(key, list)
  },
  ArraySlice: (space, [key, start, end]) =>
    space.list(key).slice(Number(start ?? 0), end === undefined || end === null ? undefined : Number(end)),
  ArrayPage: (space, [key, page, size]) => {
    const length = Number(size ?? 20)
    const start = (Number(page ?? 1) - 1) * length
    return space.list(key).slice(start, start + length)
  },
  ArrayAll: (space, [key]) => space.list(key),
}

function put(space: KeyValueSpace, key: unknown, list: unknown[]): number {
  space.set(key, list)
  return list.length
}

/** `Push(key, [a, b])` and `Push(key, a, b)` mean the same. */
function flat(values: unknown[]): unknown[] {
  return values.length === 1 && Array.isArray(values[0]) ? values[0] : values
}

function matches(pattern: string, key: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(key)
}

/** Conversations are forgotten, oldest first, so that a long run does not grow. */
const MAX_SPACES = 10_000

export class KeyValueStore {
  readonly #spaces = new Map<string, KeyValueSpace>()

  space(name: string): KeyValueSpace {
    let space = this.#spaces.get(name)
    if (!space) {
      space = new KeyValueSpace()
      this.#spaces.set(name, space)
      const [oldest] = this.#spaces.keys()
      if (this.#spaces.size > MAX_SPACES && oldest !== undefined) this.#spaces.delete(oldest)
    }
    return space
  }
}
