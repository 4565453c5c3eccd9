// Built-ins as they were before any script was loaded. Whatever leads to a verdict uses these, so that a script that
// replaces `Object.keys` or `Promise.prototype.then` changes nothing. Such code also does without what the language itself
// looks up in prototypes: no `for … of`, no spread of lists, no `[a, b] = list`, no `instanceof`, no `await`.
import { types as utilTypes } from 'node:util'

type Method = (...args: never[]) => unknown
type Uncurried<M extends Method, Self> = (self: Self, ...args: Parameters<M>) => ReturnType<M>

/* oxlint-disable typescript/unbound-method -- taken to be called with any object */
const { call } = Function.prototype

function uncurry<Self, M extends Method>(method: M): Uncurried<M, Self> {
  return call.bind(method)
}

function getter<Self, T>(holder: object, name: string | symbol): (self: Self) => T {
  const found = Object.getOwnPropertyDescriptor(holder, name)
  return call.bind(found?.get as () => T)
}

export const { keys, getPrototypeOf, hasOwn, is, getOwnPropertySymbols } = Object
export const { isArray } = Array
export const { isView } = ArrayBuffer
export const { apply } = Reflect
export const { stringify: toJson, parse: fromJson } = JSON
export const { isFinite } = Number
export const { round } = Math
export const text = String
export const number = Number
export const OriginalError = Error
export const OriginalPromise = Promise
export const OriginalRegExp = RegExp
export const OriginalMap = Map
export const OriginalSet = Set
const Bytes = Uint8Array
export const nextTurn = setImmediate
const later = setTimeout
export const hrtime = process.hrtime.bigint
export const types = { ...utilTypes }

const { defineProperty } = Object
const { prototype: promises } = Promise
const typedArrays = getPrototypeOf(Uint8Array.prototype) as object

export const isEnumerable = uncurry<object, (key: PropertyKey) => boolean>(Object.prototype.propertyIsEnumerable)
export const isPrototypeOf = uncurry<object, (value: object) => boolean>(Object.prototype.isPrototypeOf)
export const sourceText = uncurry<unknown, () => string>(Function.prototype.toString)
export const textIncludes = uncurry<string, (part: string) => boolean>(String.prototype.includes)
export const charactersOf = (value: string): number => {
  let count = 0
  // A pair of surrogates is one character.
  for (let at = 0; at < value.length; at++) {
    const isPair = isBetween(charCode(value, at), 0xd800, 0xdbff) && isBetween(charCode(value, at + 1), 0xdc00, 0xdfff)
    if (isPair) at++
    count++
  }
  return count
}
const charCode = uncurry<string, (at: number) => number>(String.prototype.charCodeAt)
const slice = uncurry<string, (from: number, to: number) => string>(String.prototype.slice)
/** At most `max` characters, then `…`. Not inside a word, unless it is very long: half a key is not recognised, and so not hidden. */
export const cut = (value: string, max: number): string => {
  if (value.length <= max) return value
  let end = max
  while (end > 0 && max - end < LONGEST_WORD && isBetween(charCode(value, end - 1), 0x21, 0x7e)) end--
  return `${slice(value, 0, end > 0 && max - end < LONGEST_WORD ? end : max)}…`
}
const LONGEST_WORD = 160
export const execute = uncurry<RegExp, (text: string) => unknown>(RegExp.prototype.exec)
export const sourceOf = getter<RegExp, string>(RegExp.prototype, 'source')
export const timeOf = uncurry<Date, () => number>(Date.prototype.getTime)
export const mapGet = uncurry<Map<unknown, unknown>, (key: unknown) => unknown>(Map.prototype.get)
export const mapHas = uncurry<Map<unknown, unknown>, (key: unknown) => boolean>(Map.prototype.has)
export const mapSet = uncurry<Map<unknown, unknown>, (key: unknown, value: unknown) => unknown>(Map.prototype.set)
export const mapDelete = uncurry<Map<unknown, unknown>, (key: unknown) => boolean>(Map.prototype.delete)
export const mapEach = uncurry<Map<unknown, unknown>, (each: (value: unknown, key: unknown) => void) => void>(
  Map.prototype.forEach,
)
export const mapSize = getter<Map<unknown, unknown>, number>(Map.prototype, 'size')
export const setAdd = uncurry<Set<unknown>, (value: unknown) => unknown>(Set.prototype.add)
export const setHas = uncurry<Set<unknown>, (value: unknown) => boolean>(Set.prototype.has)
export const setEach = uncurry<Set<unknown>, (each: (value: unknown) => void) => void>(Set.prototype.forEach)
export const setSize = getter<Set<unknown>, number>(Set.prototype, 'size')
export const weakMapGet = uncurry<object, (key: object) => unknown>(WeakMap.prototype.get) as <T>(
  map: WeakMap<object, T>,
  key: object,
) => T | undefined
export const weakMapSet = uncurry<object, (key: object, value: unknown) => unknown>(WeakMap.prototype.set) as <T>(
  map: WeakMap<object, T>,
  key: object,
  value: T,
) => unknown
export const weakSetHas = uncurry<WeakSet<object>, (value: object) => boolean>(WeakSet.prototype.has)
export const viewTag = getter<ArrayBufferView, string | undefined>(typedArrays, Symbol.toStringTag)
export const hrefOf = getter<URL, string>(URL.prototype, 'href')
export const queryOf = uncurry<URLSearchParams, () => string>(URLSearchParams.prototype.toString)
/* oxlint-enable typescript/unbound-method */

const errors = Error.prototype

/** Including Node's own, such as DOMException. */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || (typeof value === 'object' && value !== null && isPrototypeOf(errors, value))
}

const [viewMemory, viewOffset, viewLength] = [memberOf('buffer'), memberOf('byteOffset'), memberOf('byteLength')]

function memberOf(name: string): { typed: (view: unknown) => unknown; data: (view: unknown) => unknown } {
  return { typed: getter(typedArrays, name), data: getter(DataView.prototype, name) }
}

/** The memory that a view shows, as bytes. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  const kind = viewTag(view) === undefined ? 'data' : 'typed'
  const memory = viewMemory[kind](view) as ArrayBuffer
  return new Bytes(memory, viewOffset[kind](view) as number, viewLength[kind](view) as number)
}

const memorySize = {
  own: getter<object, number>(ArrayBuffer.prototype, 'byteLength'),
  shared: getter<object, number>(SharedArrayBuffer.prototype, 'byteLength'),
}

export function bytesIn(memory: ArrayBufferLike): Uint8Array {
  const size = types.isSharedArrayBuffer(memory) ? memorySize.shared(memory) : memorySize.own(memory)
  return new Bytes(memory, 0, size)
}

export const byteCount = getter<Uint8Array, number>(typedArrays, 'length')

const FLAGS: Array<[(pattern: RegExp) => boolean, string]> = []
for (const [name, letter] of [
  ['hasIndices', 'd'],
  ['global', 'g'],
  ['ignoreCase', 'i'],
  ['multiline', 'm'],
  ['dotAll', 's'],
  ['unicode', 'u'],
  ['unicodeSets', 'v'],
  ['sticky', 'y'],
] as const) {
  if (hasOwn(RegExp.prototype, name)) FLAGS.push([getter(RegExp.prototype, name), letter])
}

export function flagsOf(pattern: RegExp, except = ''): string {
  let flags = ''
  for (let at = 0; at < FLAGS.length; at++) {
    const flag = FLAGS[at] as (typeof FLAGS)[number]
    if (flag[0](pattern) && !textIncludes(except, flag[1])) flags += flag[1]
  }
  return flags
}

const BOXES: Array<[(value: unknown) => boolean, (box: never) => unknown]> = [
  [types.isNumberObject, uncurry(Number.prototype.valueOf)],
  [types.isStringObject, uncurry(String.prototype.valueOf)],
  [types.isBooleanObject, uncurry(Boolean.prototype.valueOf)],
  [types.isBigIntObject, uncurry(BigInt.prototype.valueOf)],
  [types.isSymbolObject, uncurry(Symbol.prototype.valueOf)],
]

/** What `Object(1)` and `new String("a")` hold. */
export function unboxed(value: object): unknown {
  for (let at = 0; at < BOXES.length; at++) {
    const box = BOXES[at] as (typeof BOXES)[number]
    if (box[0](value)) return box[1](value as never)
  }
  return undefined
}

// oxlint-disable-next-line typescript/unbound-method -- called with a timer
const unref = call.bind(timerPrototype().unref) as (timer: unknown) => unknown

function timerPrototype(): NodeJS.Timeout {
  const timer = setTimeout(() => {}, 0)
  clearTimeout(timer)
  return getPrototypeOf(timer) as NodeJS.Timeout
}

export function after(ms: number, work: () => void): void {
  later(work, ms)
}

/** If the process is still there by then: it does not stay alive for it. */
export function afterUnlessOver(ms: number, work: () => void): void {
  unref(later(work, ms))
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high
}

/** An own property, bypassing any setter that a prototype has for the name. */
export function define(object: object, name: PropertyKey, value: unknown): void {
  // Without a prototype: a script may have given `get` to every object.
  const own = { __proto__: null, value, enumerable: true, configurable: true, writable: true }
  defineProperty(object, name, own as PropertyDescriptor)
}

export function defineLive(object: object, name: string, get: () => unknown): void {
  const own = { __proto__: null, get, enumerable: true, configurable: true }
  defineProperty(object, name, own as PropertyDescriptor)
}

export function append<T>(list: T[], item: T): void {
  define(list, list.length, item)
}

type Then = (this: unknown, done: (value: unknown) => void, failed: (error: unknown) => void) => unknown
const originalThen = promises.then as unknown as Then

/** Undefined: not something to wait for. One of Node's own promises is awaited in Node's own way. */
function thenOf(value: unknown): Then | undefined {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined
  if (types.isPromise(value) && getPrototypeOf(value) === promises && !hasOwn(value, 'then')) return originalThen
  const then: unknown = (value as { then?: unknown }).then
  return typeof then === 'function' ? (then as Then) : undefined
}

/** Calls one of the two, once: immediately if there is nothing to wait for. What `then` returns is the script's, and not used. */
export function whenSettled(value: unknown, done: (value: unknown) => void, failed: (error: unknown) => void): void {
  let settled = false
  const settle = (next: (given: unknown) => void, given: unknown): void => {
    if (settled) return
    settled = true
    next(given)
  }
  let then: Then | undefined
  try {
    then = thenOf(value)
  } catch (error) {
    return failed(error)
  }
  if (!then) return done(value)
  const isOriginal = then === originalThen
  try {
    apply(then, value, [
      (given: unknown) => settle(isOriginal ? done : () => whenSettled(given, done, failed), given),
      (error: unknown) => settle(failed, error),
    ])
  } catch (error) {
    settle(failed, error)
  }
}

/** What a generator function returns: nothing of its body has run. */
export function isGenerator(value: unknown): boolean {
  return types.isGeneratorObject(value)
}

export function isThenable(value: unknown): boolean {
  try {
    return thenOf(value) !== undefined
  } catch {
    return false
  }
}
