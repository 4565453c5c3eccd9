// The value of `--chaos`: `error,timeout,rate=0.3,seed=7,delay=200ms,lane=tools`, in any order.
import { parseDuration } from '../base/duration.js'
import { suggest } from '../base/suggest.js'
import { FAULTS, type Fault } from '../model/fault.js'

export interface ChaosSpec {
  faults: readonly Fault[]
  /** Share of calls that get one, 0 to 1. */
  rate: number
  seed: number
  /** How late a slow answer is, and how long to wait for a lost one. */
  delay_ms: number
}

/** Whose calls can fail. */
export const CHAOS_LANES = ['agent', 'tools', 'simulator', 'judge'] as const

export type ChaosLane = (typeof CHAOS_LANES)[number]

export interface RunChaosSpec extends ChaosSpec {
  lanes: ChaosLane[]
}

export const CHAOS_DEFAULTS: ChaosSpec = { faults: FAULTS, rate: 0.5, seed: 1, delay_ms: 100 }

const MAX_SEED = 2 ** 31 - 1
const MAX_DELAY_MS = 600_000

/** Undefined: no faults. Throws an Error that says what was expected. */
export function readChaos(given: string | boolean | undefined): RunChaosSpec | undefined {
  if (given === undefined || given === false) return undefined
  const faults: Fault[] = []
  const lanes: ChaosLane[] = []
  const spec: ChaosSpec = { ...CHAOS_DEFAULTS }
  const seen = new Set<string>()
  for (const part of typeof given === 'string' ? given.split(',') : []) {
    const word = part.trim()
    const [key = '', ...rest] = word.split('=')
    if (word === '') continue
    if (rest.length === 0) faults.push(oneOf(FAULTS, word, [...FAULTS, 'rate=', 'seed=', 'delay=', 'lane=']))
    else if (key === 'lane') lanes.push(oneOf(CHAOS_LANES, rest.join('='), CHAOS_LANES))
    else if (seen.has(key)) throw new Error(`${key} is given twice`)
    else setValue(spec, key, rest.join('='))
    seen.add(key)
  }
  if (faults.length > 0) spec.faults = [...new Set(faults)]
  return { ...spec, lanes: lanes.length > 0 ? lanes : ['agent'] }
}

function setValue(spec: ChaosSpec, key: string, text: string): void {
  if (key === 'rate') spec.rate = rateOf(text)
  else if (key === 'seed') spec.seed = seedOf(text)
  else if (key === 'delay') spec.delay_ms = delayOf(text)
  else oneOf([], `${key}=`, ['rate=', 'seed=', 'delay=', 'lane='])
}

function rateOf(text: string): number {
  const rate = text.trim() === '' ? Number.NaN : Number(text)
  // At 0 nothing happens, and nothing is shown.
  if (rate > 0 && rate <= 1) return rate
  throw new Error(`rate must be above 0 and at most 1, found "${text}"`)
}

function seedOf(text: string): number {
  const seed = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED) return seed
  throw new Error(`seed must be a whole number from 0 to ${MAX_SEED}, found "${text}"`)
}

function delayOf(text: string): number {
  const delay = parseDuration(text)
  if (delay <= MAX_DELAY_MS) return delay
  throw new Error(`delay must be at most 10m, found "${text}"`)
}

function oneOf<const Word extends string>(words: readonly Word[], found: string, known: readonly string[]): Word {
  const word = words.find((each) => each === found)
  if (word !== undefined) return word
  const near = suggest(found, [...known])
  throw new Error(
    `expected ${known.join(', ')}, found "${found}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
  )
}
