// Every built-in function of the language, replaced one after the other in three ways: no verdict changes. The replacement
// stays until the next test begins, so that it is there when the verdict is made and sent.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkRun } from '../faults/support.js'
import { makeFolder, viva } from '../support/run-cli.js'

/** How a script finds each owner of functions. */
const OWNERS =
  'Object Function Array String Number Boolean Symbol Date Promise RegExp Error Map Set WeakMap WeakSet ArrayBuffer Uint8Array DataView Buffer URL BigInt'
    .split(' ')
    .flatMap((name) => [name, `${name}.prototype`])
const OTHERS = [
  'JSON',
  'Math',
  'Reflect',
  'Atomics',
  'console',
  'globalThis',
  'Object.getPrototypeOf(Uint8Array)',
  'Object.getPrototypeOf(Uint8Array.prototype)',
  'Object.getPrototypeOf([][Symbol.iterator]())',
  'Object.getPrototypeOf(new Map()[Symbol.iterator]())',
  'Object.getPrototypeOf(new Set()[Symbol.iterator]())',
  'Object.getPrototypeOf(async () => {})',
  "require('node:async_hooks').AsyncLocalStorage.prototype",
  "require('node:util')",
  "require('node:fs')",
  "require('node:v8')",
  "require('node:crypto')",
  "require('node:events').prototype",
  "require('node:module').prototype",
]

/** Without these no script could continue. */
const KEPT = ['constructor', 'globalThis', 'global', 'process', 'eval', 'Buffer']

const WAYS = ['() => true', '() => undefined', "() => { throw new Error('replaced') }"]

const fileFor = (way: string): string => `
const { defineProperty, getOwnPropertyDescriptor } = Object
const { ownKeys } = Reflect
const found = []
for (const owner of [${[...OWNERS, ...OTHERS].join(', ')}])
  for (const key of ownKeys(owner)) {
    const before = getOwnPropertyDescriptor(owner, key)
    const name = String(key)
    if (!before.configurable || ${JSON.stringify(KEPT)}.includes(name)) continue
    // Names of the language are read when they are used: replacing them is for the tests of each.
    if (owner === globalThis && (before.get || /^[A-Z]/.test(name))) continue
    if (typeof before.value === 'function' || before.get) found.push({ owner, key, before })
  }
// Made before anything is replaced: a Map without a set of its own stays empty.
const maps = [new Map([[1, 1]]), new Map([[1, 2]])]
const rightPair = [{ a: [1, 'x'], c: new Date(1), d: new Map([[1, new Set([2])]]) }, { d: new Map([[1, new Set([2])]]), c: new Date(1), a: [1, 'x'] }]
/** A subtest that is wrong, and one that is right, with a replacement that stays until both have ended. */
function judged({ owner, key, before }, t) {
  const replaced = ${way}
  let said = ''
  const wrong = (s) => {
    const { assert } = s
    if (assert.Equal({ a: [1] }, { a: [2] }) !== false) said += 'Equal '
    if (assert.Equal(maps[0], maps[1]) !== false) said += 'Map '
    if (assert.NotEqual({ a: 1 }, { a: 1 }) !== false) said += 'NotEqual '
    if (assert.Contains('abc', 'd') !== false) said += 'Contains '
    if (assert.Match('abc', 'x+') !== false) said += 'Match '
    if (assert.True(false) !== false) said += 'True '
  }
  const right = (s) => {
    const { assert } = s
    if (assert.Equal(rightPair[0], rightPair[1]) !== true) said += 'equal '
    if (assert.Contains([1, { a: 1 }], { a: 1 }) !== true) said += 'contains '
    if (assert.Match('abc', /B/i) !== true) said += 'match '
    if (assert.Len('abc', 3) !== true) said += 'len '
  }
  defineProperty(owner, key, before.get ? { get: replaced, configurable: true } : { value: replaced, configurable: true, writable: true })
  try {
    if (t.run('right', right) !== true) said += 'right is wrong'
    if (t.run('wrong', wrong) !== false) said += 'wrong is right'
  } catch (error) {
    said += 'threw ' + error
  }
  defineProperty(owner, key, before)
  return said
}
function TestAll(t) {
  for (const one of found) {
    const said = judged(one, t)
    if (said !== '') t.log('CHANGED ' + (typeof one.owner === 'function' ? one.owner.name : one.owner.constructor?.name) + ' ' + String(one.key) + ': ' + said)
  }
  t.log('TRIED ' + found.length)
}
`

test('no built-in that a script replaces changes a verdict', async () => {
  const files: Record<string, string> = { 'app.yao': '{}', 'assistants/shop/package.yao': '{ "name": "shop" }' }
  WAYS.forEach((way, index) => {
    files[`assistants/shop/src/way${index}_test.ts`] = fileFor(way)
  })
  const cwd = makeFolder(files)
  await viva(['test', '-i', 'scripts.shop.*', '-o', 'o.jsonl', '--timeout', '5m'], { cwd })
  const { results } = checkRun(join(cwd, 'o.jsonl'), { complete: true })
  expect(results).toHaveLength(WAYS.length)
  for (const result of results) {
    expect.soft([result.status, result.error]).toEqual(['failed', expect.stringMatching(/^wrong: /)])
    const logs = result.logs ?? []
    expect.soft(logs.filter((line) => line.startsWith('CHANGED'))).toEqual([])
    expect.soft(Number(/^TRIED (\d+)$/.exec(logs.at(-1) ?? '')?.[1])).toBeGreaterThan(700)
  }
}, 300_000)
