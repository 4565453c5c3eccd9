// What is too long for a cassette goes beside it, into a file named after its hash: `tape.yaml` has `tape.bodies/`.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../base/record.js'
import { sortedEntries } from '../files/entries.js'
import { replaceFile } from '../files/replace-file.js'
import type { Interaction } from '../model/cassette.js'
import { flowOf } from './yaml-text.js'

const LONGEST = 64 * 1024

/** By name (`<sha256>.txt`, `<sha256>.json`): what goes beside the cassette. */
export type Bodies = Map<string, string>

/** The content of a body, or why there is none. */
export type ReadBody = (name: string) => { content: string } | { problem: string }

/** The same interaction with references in place of what is too long; that goes to `bodies`. */
export function takeOutBodies<Part extends Pick<Interaction, 'request' | 'response'>>(
  { request, response, ...rest }: Part,
  bodies: Bodies,
): Part {
  const short = (value: unknown): unknown => {
    const taken = mapped(value, (item) => {
      if (typeof item !== 'string') return escaped(item)
      return isLong(item) ? reference('$body', keep(item, 'txt', bodies)) : item
    })
    if (typeof taken !== 'object' || !isLong(flowOf(taken))) return taken
    return reference('$json', keep(JSON.stringify(value), 'json', bodies))
  }
  const fields = Object.entries(response).map(([key, value]) => [key, key === 'error' ? value : short(value)])
  return {
    ...rest,
    request: { ...request, messages: request.messages.map(short) },
    response: Object.fromEntries(fields) as Interaction['response'],
  } as Part
}

/** A part of a cassette with its references resolved. Problems are reported, and leave null. */
export function putBackBodies(value: unknown, read: ReadBody, onProblem: (problem: string) => void): unknown {
  return mapped(value, (item) => {
    const [key, hash] = referenceIn(item) ?? []
    if (key === undefined || hash === undefined) return unescaped(item)
    const found = read(`${hash}.${key === '$body' ? 'txt' : 'json'}`)
    if ('problem' in found) {
      onProblem(found.problem)
      return null
    }
    return key === '$body' ? found.content : (JSON.parse(found.content) as unknown)
  })
}

/** The bodies beside a cassette. */
export function bodiesBeside(cassette: string): ReadBody {
  return (name) => {
    const file = join(bodiesFolder(cassette), name)
    if (!existsSync(file)) return { problem: `${file} is missing: it holds the text that belongs here` }
    const content = readFileSync(file, 'utf8')
    if (hashOf(content) === name.slice(0, 64)) return { content }
    return { problem: `${file} was changed: write the text that you want into the cassette itself` }
  }
}

/** Everything that the text of a cassette refers to and that exists. */
export function bodiesOf(cassette: string, text: string): Bodies {
  const folder = bodiesFolder(cassette)
  if (!existsSync(folder)) return new Map()
  const used = hashesIn(text)
  const names = sortedEntries(folder).filter(({ name }) => NAME.test(name) && used.has(name.slice(0, 64)))
  return new Map(names.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Written before the cassette, which refers to them. */
export function writeBodies(cassette: string, bodies: Bodies): void {
  for (const [name, content] of bodies) {
    const file = join(bodiesFolder(cassette), name)
    if (!existsSync(file)) replaceFile(file, content)
  }
}

/** After the cassette: removes what it no longer refers to. Files that are not ours stay. */
export function dropUnusedBodies(cassette: string, text: string): void {
  const folder = bodiesFolder(cassette)
  if (!existsSync(folder)) return
  const used = hashesIn(text)
  const entries = sortedEntries(folder)
  const unused = entries.filter(({ name }) => NAME.test(name) && !used.has(name.slice(0, 64)))
  for (const { name } of unused) rmSync(join(folder, name), { force: true })
  if (unused.length === entries.length) rmSync(folder, { recursive: true, force: true })
}

const NAME = /^[0-9a-f]{64}\.(?:txt|json)$/

export function bodiesFolder(cassette: string): string {
  return `${cassette.replace(/\.ya?ml$/i, '')}.bodies`
}

function hashesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/sha256:([0-9a-f]{64})/g), ([, hash = '']) => hash))
}

function isLong(text: string): boolean {
  return text.length * 3 > LONGEST && Buffer.byteLength(text) > LONGEST
}

function keep(content: string, kind: string, bodies: Bodies): string {
  const hash = hashOf(content)
  bodies.set(`${hash}.${kind}`, content)
  return hash
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

function reference(key: string, hash: string): Record<string, string> {
  return { [key]: `sha256:${hash}` }
}

function referenceIn(item: unknown): ['$body' | '$json', string] | undefined {
  const [key, value] = onlyEntry(item) ?? []
  if ((key !== '$body' && key !== '$json') || typeof value !== 'string') return undefined
  const hash = /^sha256:([0-9a-f]{64})$/.exec(value)?.[1]
  return hash === undefined ? undefined : [key, hash]
}

/** Text that only looks like a reference gets one more sign. */
function escaped(item: unknown): unknown {
  const [key, value] = onlyEntry(item) ?? []
  return key !== undefined && /^\$+(?:body|json)$/.test(key) ? { [`$${key}`]: value } : item
}

function unescaped(item: unknown): unknown {
  const [key, value] = onlyEntry(item) ?? []
  return key !== undefined && /^\$\$+(?:body|json)$/.test(key) ? { [key.slice(1)]: value } : item
}

function onlyEntry(item: unknown): [string, unknown] | undefined {
  if (!isRecord(item)) return undefined
  const entries = Object.entries(item)
  return entries.length === 1 ? entries[0] : undefined
}

/** From the inside out. Most values stay as they are, and are not copied. */
function mapped(value: unknown, change: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.map((item) => mapped(item, change))
    return list.some((item, index) => item !== value[index]) ? list : value
  }
  if (!isRecord(value)) return change(value)
  const entries = Object.entries(value).map(([key, item]) => [key, mapped(item, change)] as const)
  const isSame = entries.every(([key, item]) => item === value[key])
  return change(isSame ? value : Object.fromEntries(entries))
}
