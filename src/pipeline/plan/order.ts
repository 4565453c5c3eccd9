// `--order`: which cases run first. Pure.
import { createHash } from 'node:crypto'
import type { Planned, Unit } from '../../model/plan.js'

export type Order = { by: 'file' | 'failed-first' | 'slow-first' } | { by: 'random'; seed: string | undefined }

/** Throws an Error that says what was expected. */
export function parseOrder(text: string): Order {
  if (text === 'file' || text === 'failed-first' || text === 'slow-first') return { by: text }
  const found = /^random(?::(.+))?$/.exec(text)
  if (found) return { by: 'random', seed: found[1] }
  throw new Error(`expected failed-first, slow-first, random, random:seed or file, found "${text}"`)
}

/** What earlier runs say about a case. */
export interface PastCases {
  hasFailed(id: string): boolean
  /** Milliseconds; undefined if it has never run. */
  duration(id: string): number | undefined
}

/** The case with the lowest one runs first; undefined for the order of the file. */
export function rankBy(order: Order, past: PastCases | undefined): ((id: string) => number) | undefined {
  switch (order.by) {
    case 'file':
      return undefined
    case 'failed-first':
      return past && ((id) => (past.hasFailed(id) ? 0 : 1))
    case 'slow-first':
      // A case that has never run may be slow: at the end, everything would wait for it.
      return past && ((id) => -(past.duration(id) ?? Infinity))
    case 'random':
      return (id) => createHash('sha256').update(`${order.seed}:${id}`).digest().readUIntBE(0, 6)
  }
}

/** How many cases are held at a time; a larger file is read once per that many. */
const HELD = 50_000

/** The same units in a different order; those of equal rank stay in place. The tests of a script stay together. */
export async function* orderPlanned(
  batches: () => AsyncIterable<Planned[]>,
  rank: (id: string) => number,
  held = HELD,
): AsyncGenerator<Planned[]> {
  const ranks: number[] = []
  for await (const batch of batches()) for (const { unit } of batch) ranks.push(rankOf(unit, rank))
  const places = Array.from(ranks, (_, index) => index).toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b)
  for (let start = 0; start < places.length; start += held) {
    const wanted = new Map(places.slice(start, start + held).map((index, place) => [index, place]))
    const found: Planned[] = []
    let index = 0
    for await (const batch of batches()) {
      for (const planned of batch) {
        const place = wanted.get(index++)
        if (place !== undefined) found[place] = { ...planned, unit: inOrder(planned.unit, rank) }
      }
    }
    yield found
  }
}

function rankOf(unit: Unit, rank: (id: string) => number): number {
  if (unit.kind === 'case') return rank(unit.testCase.id)
  return unit.tests.reduce((lowest, test) => Math.min(lowest, rank(test.id)), Infinity)
}

function inOrder(unit: Unit, rank: (id: string) => number): Unit {
  return unit.kind === 'case' ? unit : { ...unit, tests: unit.tests.toSorted((a, b) => rank(a.id) - rank(b.id)) }
}
