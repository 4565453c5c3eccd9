// Deep equality as `t.assert.Equal` means it: any key order, `null` is not `undefined`, an undefined key counts as absent.

export function isDeepEqual(left: unknown, right: unknown): boolean {
  return equal(left, right, [])
}

type Pairs = [object, object][]

function equal(left: unknown, right: unknown, open: Pairs): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left !== left && right !== right
  }
  // Two values that contain themselves are equal as far as they can be told apart.
  if (open.some(([a, b]) => a === left && b === right)) return true
  const pairs: Pairs = [...open, [left, right]]
  if (Array.isArray(left) || Array.isArray(right)) return equalArrays(left, right, pairs)
  const special = equalSpecial(left, right, pairs)
  return special ?? equalRecords(left as Record<string, unknown>, right as Record<string, unknown>, pairs)
}

function equalArrays(left: object, right: object, open: Pairs): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((item, index) => equal(item, right[index], open))
}

/** Undefined: neither is a special kind. */
function equalSpecial(left: object, right: object, open: Pairs): boolean | undefined {
  if (left instanceof Date || right instanceof Date) {
    return left instanceof Date && right instanceof Date && Object.is(left.getTime(), right.getTime())
  }
  if (left instanceof RegExp || right instanceof RegExp) {
    return left instanceof RegExp && right instanceof RegExp && String(left) === String(right)
  }
  if (left instanceof Error && right instanceof Error) {
    return left.name === right.name && left.message === right.message
  }
  if (ArrayBuffer.isView(left) || ArrayBuffer.isView(right)) {
    return ArrayBuffer.isView(left) && ArrayBuffer.isView(right) && Buffer.compare(bytes(left), bytes(right)) === 0
  }
  if (left instanceof Map || right instanceof Map) {
    if (!(left instanceof Map) || !(right instanceof Map) || left.size !== right.size) return false
    return [...left].every(([key, value]) => right.has(key) && equal(value, right.get(key), open))
  }
  if (left instanceof Set || right instanceof Set) {
    if (!(left instanceof Set) || !(right instanceof Set) || left.size !== right.size) return false
    return [...left].every((item) => right.has(item) || [...right].some((other) => equal(item, other, open)))
  }
  return undefined
}

function equalRecords(left: Record<string, unknown>, right: Record<string, unknown>, open: Pairs): boolean {
  const keys = definedKeys(left)
  if (keys.length !== definedKeys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key], open))
}

function definedKeys(value: Record<string, unknown>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined)
}

function bytes(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}
