// The built-ins that all scripts of a process share, compared by identity: it shows when a script has replaced one, whatever
// with.
import fs from 'node:fs'
import path from 'node:path'
import timers from 'node:timers'
import util from 'node:util'

type Key = string | symbol

interface Watched {
  object: object
  keys: Key[]
  found: PropertyDescriptor[]
  /** Prototypes: what is added to them is seen by every object. */
  count: number | undefined
}

const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, is } = Object
const { ownKeys } = Reflect
const { cwd } = process

/** Set by packages that improve stacks, and by Node's own. */
const FREE = new Set<Key>(['prepareStackTrace', 'stackTraceLimit', 'name', 'length'])

/** Call before the first script is loaded. Returns a function that says whether everything is still as it was. */
export function watchBuiltins(): () => boolean {
  const watched: Watched[] = []
  const globals = look(globalThis, true)
  for (const object of sharedObjects(globals)) watched[watched.length] = look(object, isPrototype(object))
  const folder = cwd()
  return () => {
    if (cwd() !== folder || !isSame(globals)) return false
    for (let at = 0; at < watched.length; at++) if (!isSame(watched[at] as Watched)) return false
    return true
  }
}

/** What the global names refer to, their prototypes, what has no name, and the modules that checks are written with. */
function sharedObjects({ found }: Watched): Set<object> {
  const objects = new Set<object>()
  const add = (value: unknown): void => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return
    if (value === globalThis) return
    objects.add(value)
    if (typeof value !== 'function') return
    const prototype: unknown = value.prototype
    if (typeof prototype === 'object' && prototype !== null) objects.add(prototype)
  }
  for (const { value } of found) add(value)
  for (const value of UNNAMED) add(value)
  // Not imported above: only calls are watched, and every test file would load it.
  const assert = process.getBuiltinModule('node:assert')
  for (const value of [Buffer, assert, assert.strict, fs, fs.promises, path, timers, util, util.types]) add(value)
  return objects
}

const UNNAMED: unknown[] = [
  getPrototypeOf(Uint8Array),
  getPrototypeOf(async () => {}),
  getPrototypeOf(function* () {}),
  getPrototypeOf(async function* () {}),
  getPrototypeOf([][Symbol.iterator]()),
  getPrototypeOf(new Map()[Symbol.iterator]()),
  getPrototypeOf(new Set()[Symbol.iterator]()),
  getPrototypeOf(''[Symbol.iterator]()),
  getPrototypeOf(''.matchAll(/x/g)),
  getPrototypeOf(getPrototypeOf([][Symbol.iterator]())),
]

function isPrototype(object: object): boolean {
  const owner: unknown = (object as { constructor?: unknown }).constructor
  return typeof owner === 'function' && owner.prototype === object
}

function look(object: object, whole: boolean): Watched {
  const all = ownKeys(object)
  const keys = all.filter((key) => !FREE.has(key) && canChange(getOwnPropertyDescriptor(object, key)))
  const found = keys.map((key) => getOwnPropertyDescriptor(object, key) as PropertyDescriptor)
  return { object, keys, found, count: whole ? countOf(object) : undefined }
}

/** Node keeps its own things under symbols of the global object. */
function countOf(object: object): number {
  return (object === globalThis ? getOwnPropertyNames(object) : ownKeys(object)).length
}

function canChange(found: PropertyDescriptor | undefined): boolean {
  return found?.configurable === true || found?.writable === true
}

function isSame({ object, keys, found, count }: Watched): boolean {
  if (count !== undefined && countOf(object) !== count) return false
  for (let at = 0; at < keys.length; at++) {
    const before = found[at] as PropertyDescriptor
    const now = getOwnPropertyDescriptor(object, keys[at] as Key)
    if (!now) return false
    if (before.get && !now.get && 'value' in now && isLoaded(object, before, now)) found[at] = now
    else if (!is(now.value, before.value) || now.get !== before.get || now.set !== before.set) return false
  }
  return true
}

/** Node loads some names on first use, and replaces the getter with the value. */
function isLoaded(object: object, before: PropertyDescriptor, now: PropertyDescriptor): boolean {
  return before.get?.call(object) === now.value
}
