// Opens and closes cases, and keeps the address and the browser's history in sync with what is shown.
import { batch, effect } from '@preact/signals'
import { isEqual } from '../../../base/equal.js'
import type { ResultRow } from '../../../model/result-row.js'
import { formatHash, parseHash, type Address, type Place } from './address.js'
import { pickMember, titleOf, type Case } from './cases.js'
import { active, answersShown, filter, list, opened, shown, sort, viewed, viewedEarlier } from './store.js'

/** By the title of its row. */
export function openCase(id: string, run?: number, variant?: string): void {
  show({ id, ...(run !== undefined && { run }), ...(variant !== undefined && { variant }) })
}

function show(place: Place | undefined, isPassing = false): void {
  opened.value = place
  writeAddress(isPassing)
}

/** The case of a result, which may be one of several variants. */
export function openResult(result: ResultRow | Case, run?: number): void {
  if (list.variants.length > 0) openCase(result.id, run, result.variant)
  else openCase(titleOf(result), run)
}

/** A step in the transcript of the open case. */
export function openStep(step: number, isPassing = false): void {
  if (opened.value) show({ ...opened.value, step }, isPassing)
}

export function closeCase(): void {
  show(undefined)
}

/** Steps through the table; an open case is replaced by the next. `isPassing`: a key is held down. */
export function move(step: number, isPassing = false): void {
  const count = shown.value.length
  if (count === 0) return
  // The case of a link may be open before its row is there.
  const open = shown.value.findIndex((item) => item.title === opened.value?.id)
  const next = Math.max(0, Math.min(count - 1, (open >= 0 ? open : active.value) + step))
  active.value = next
  const item = shown.value[next]
  if (opened.value && item) show({ id: item.title }, isPassing)
}

export function moveRun(step: number): void {
  const row = opened.value && list.row(opened.value.id)
  const item = row && pickMember(row, opened.value?.variant)
  if (!item) return
  const runs = item.results.map((result) => result.run).toSorted((a, b) => a - b)
  const now = runs.indexOf(opened.value?.run ?? runs[0] ?? 1)
  const run = runs[Math.max(0, Math.min(runs.length - 1, now + step))]
  if (run !== undefined) openResult(item, run)
}

/** Wraps around. */
export function moveVariant(): void {
  const row = opened.value && list.row(opened.value.id)
  const members = row?.members?.filter((member) => member !== undefined) ?? []
  const item = row && pickMember(row, opened.value?.variant)
  const next = item && members[(members.indexOf(item) + 1) % members.length]
  if (next) openResult(next)
}

export function followAddress(): void {
  const address = parseHash(location.hash)
  const isFiltered = !isEqual(filter.value, address.filter) || !isEqual(sort.value, address.sort)
  batch(() => {
    opened.value = address.place
    filter.value = address.filter
    sort.value = address.sort
    answersShown.value = address.answers ?? false
  })
  const index = shown.value.findIndex((item) => item.title === address.place?.id)
  if (index >= 0) active.value = index
  else if (isFiltered) active.value = 0
  // An address that was typed is written as we would, in its place: otherwise Back would lead to it again and again.
  written = formatHash(address)
  if (written !== location.hash) history.replaceState(history.state, '', pathWith(written))
}

const PAUSE_MS = 200

/** Writes filters and sorting into the address, a moment after they change: browsers limit how often. */
export function keepAddress(): void {
  let timer: number | undefined
  effect(() => {
    void [filter.value, sort.value, viewed.value, viewedEarlier.value, answersShown.value]
    if (timer !== undefined) clearTimeout(timer)
    // The initial state was read from the address.
    timer = timer === undefined ? 0 : window.setTimeout(writeAddress, PAUSE_MS)
  })
}

/** The address of what is shown, unless nothing was shown yet. */
let written: string | undefined

/** What was shown before becomes an entry of the history. `isPassing`: it was only passed by. */
export function writeAddress(isPassing = false): void {
  const address = {
    place: opened.value,
    filter: filter.value,
    sort: sort.value,
    viewed: viewed.value,
    earlier: viewedEarlier.value,
    ...(answersShown.value && { answers: true as const }),
  }
  const hash = formatHash(address)
  const before = written ?? location.hash
  if (hash === before) return
  written = hash
  if (isPassing || isTyping(parseHash(before), address)) history.replaceState(history.state, '', pathWith(hash))
  else history.pushState(null, '', pathWith(hash))
}

/** Between two texts that are searched for there is nothing to go back to. */
function isTyping({ filter: before, ...rest }: Address, { filter: after, ...others }: Address): boolean {
  return (
    before.text !== '' && after.text !== '' && isEqual({ ...before, text: after.text }, after) && isEqual(rest, others)
  )
}

function pathWith(hash: string): string {
  return location.pathname + location.search + hash
}
