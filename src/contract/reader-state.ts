// What a server's own read-only tools say about its state, and whether that has changed: what varies by itself is left out.
import { canonicalJson } from '../base/json/canonical-json.js'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord, readString } from '../base/record.js'
import { makeArguments } from '../json-schema/values/make-arguments.js'
import type { Sample } from '../json-schema/values/sample.js'
import { sampleFor } from './sample-here.js'
import { resultOf, type Exchange } from '../mcp-client/exchange.js'
import type { Listed } from '../model/contract.js'
import { errorWords } from './error-words.js'
import { pause, type Prober } from './prober.js'
import { shortened } from './probe.js'
import { withoutTimes } from './without-times.js'

export interface Reader {
  name: string
  params: Record<string, unknown>
}

/** Place in an answer → what is there. */
export type Places = ReadonlyMap<string, string>

/** Reader → what it said: as it was, and place by place. */
export type Readings = ReadonlyMap<string, { exchange: Exchange; places: Places }>

export interface ReaderChange {
  reader: string
  /** Where its answer is different. */
  places: string[]
  /** All that it says now. */
  now: Places
  before: unknown
  after: unknown
}

/** Each is called several times for each tool that is tried. */
const MOST_READERS = 6

/** Tools that are annotated as read-only and can be called, those that need nothing first. */
export function readersOf(tools: readonly Listed[], cwd: string | undefined): Reader[] {
  const found = tools.flatMap((tool): Array<Reader & { needs: number }> => {
    const name = readString(tool['name'])
    const { annotations, inputSchema } = tool
    if (name === undefined || !isRecord(annotations) || annotations['readOnlyHint'] !== true) return []
    const value = typicalOf(inputSchema, sampleFor(tool, cwd))
    return isRecord(value) ? [{ name, params: { name, arguments: value }, needs: Object.keys(value).length }] : []
  })
  return found
    .toSorted((one, other) => one.needs - other.needs)
    .slice(0, MOST_READERS)
    .map(({ name, params }) => ({ name, params }))
}

function typicalOf(schema: unknown, sample: Sample): unknown {
  try {
    return makeArguments(isRecord(schema) ? schema : {}, { sample }).typical[0]?.value
  } catch {
    return undefined
  }
}

/** Tools that did not answer, or after which the server did not: they are not asked again in this run. */
export type Distrusted = Set<string>

/** Only what was answered without an error says anything about the state. */
export async function readState(prober: Prober, readers: readonly Reader[], distrusted: Distrusted): Promise<Readings> {
  const readings = new Map<string, { exchange: Exchange; places: Places }>()
  let last: string | undefined
  for (const { name, params } of readers) {
    if (distrusted.has(name)) continue
    const exchange = await prober.read('tools/call', params)
    if (exchange && exchange.ended !== 'answered') {
      distrusted.add(name)
      // It may have been the one before.
      if (last !== undefined && exchange.ended === 'closed') distrusted.add(last)
      return readings
    }
    last = name
    const result = exchange && resultOf(exchange)
    if (!exchange || !result || result['isError'] === true || errorWords(result) !== undefined) continue
    readings.set(name, { exchange, places: placesOf(result) })
  }
  if (last !== undefined) {
    await pause(AFTERWARDS_MS)
    const ping = await prober.read('ping')
    if (ping && ping.ended !== 'answered') distrusted.add(last)
  }
  return readings
}

const AFTERWARDS_MS = 50
const MOST_ROUNDS = 4

/** Two readings of one server with nothing but time in between; empty if there is nothing to read, or nobody to be trusted with it. */
export async function readTwice(
  prober: Prober,
  readers: readonly Reader[],
  distrusted: Distrusted,
  waitMs = 0,
): Promise<Readings[]> {
  if (readers.length === 0) return []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const known = distrusted.size
    if (typeof (await prober.session()) === 'string') return []
    const first = await readState(prober, readers, distrusted)
    await pause(waitMs)
    const readings = [first, await readState(prober, readers, distrusted)]
    if (distrusted.size === known) return readings
    await prober.startAfresh()
  }
  return []
}

/** `before`: at least two readings with nothing in between. What differs between them says nothing. */
export function readerChanges(before: readonly Readings[], after: Readings): ReaderChange[] {
  const [first, ...more] = before
  if (!first) return []
  return [...first].flatMap(([reader, { places, exchange }]): ReaderChange[] => {
    const now = after.get(reader)
    const others = more.map((readings) => readings.get(reader))
    if (!now || others.some((other) => other === undefined || other.places.size !== places.size)) return []
    const varies = (place: string) => others.some((other) => other?.places.get(place) !== places.get(place))
    const changed = [...new Set([...places.keys(), ...now.places.keys()])].filter(
      (place) => places.get(place) !== now.places.get(place) && !varies(place),
    )
    // Where something varies, what came or went may be a part of it.
    const certain = changed.filter((place) => places.has(place) || ![...places.keys()].some(varies))
    if (certain.length === 0) return []
    const [was, is] = [shortened(exchange.answer), shortened(now.exchange.answer)]
    return [{ reader, places: certain, now: now.places, before: was, after: is }]
  })
}

/** Two servers that were asked the same say the same about their state: numbers that differ between them, such as memory in use, are none. */
export function isMeasured(places: readonly string[], now: Places, other: Places): boolean {
  return places.every((place) => {
    const [one, two] = [now.get(place), other.get(place)]
    return one !== undefined && two !== undefined && one !== two && withoutNumbers(one) === withoutNumbers(two)
  })
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+(?:\.\d+)?/g, '#')
}

/** Every value of a result by its place, text that is JSON included; times and ids by what they are. */
function placesOf(result: Record<string, unknown>): Map<string, string> {
  const places = new Map<string, string>()
  const normalise = withoutTimes()
  const visit = (value: unknown, place: string): void => {
    if (Array.isArray(value)) {
      places.set(`${place}.length`, String(value.length))
      for (const [index, item] of value.entries()) visit(item, `${place}[${index}]`)
    } else if (isRecord(value)) for (const [key, item] of Object.entries(value)) visit(item, `${place}.${key}`)
    else if (typeof value === 'string') visitText(value, place)
    else places.set(place, typeof value === 'number' && value > 1e9 ? '[NUMBER]' : canonicalJson(value))
  }
  const visitText = (text: string, place: string): void => {
    const inner = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
    if (inner) return visit(inner.value, place)
    const lines = text.split('\n')
    if (lines.length > 1) places.set(`${place}.lines`, String(lines.length))
    for (const [index, line] of lines.entries())
      places.set(lines.length > 1 ? `${place}:${index + 1}` : place, normalise(line))
  }
  const { _meta: _ours, ...rest } = result
  visit(rest, 'result')
  return places
}
