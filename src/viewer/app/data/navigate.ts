// Opens and closes cases, and keeps the address in sync with what is shown.
import { batch, effect } from '@preact/signals'
import type { ResultRow } from '../../../model/result-row.js'
import { formatHash, parseHash } from './address.js'
import { pickMember, titleOf, type Case } from './cases.js'
import { active, filter, list, opened, shown, sort, viewed, viewedEarlier } from './store.js'

/** By the title of its row. */
export function openCase(id: string, run?: number, variant?: string): void {
  opened.value = { id, ...(run !== undefined && { run }), ...(variant !== undefined && { variant }) }
  writeAddress()
}

/** The case of a result, which may be one of several variants. */
export function openResult(result: ResultRow | Case, run?: number): void {
  if (list.variants.length > 0) openCase(result.id, run, result.variant)
  else openCase(titleOf(result), run)
}

export function closeCase(): void {
  opened.value = undefined
  writeAddress()
}

/** Steps through the table; an open case is replaced by the next. */
export function move(step: number): void {
  const count = shown.value.length
  if (count === 0) return
  const next = Math.max(0, Math.min(count - 1, active.value + step))
  active.value = next
  const item = shown.value[next]
  if (opened.value && item) openCase(item.title)
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
  batch(() => {
    opened.value = address.place
    filter.value = address.filter
    sort.value = address.sort
  })
  const index = address.place ? shown.value.findIndex((item) => item.title === address.place?.id) : 0
  if (index >= 0) active.value = index
}

const PAUSE_MS = 200

/** Writes filters and sorting into the address, a moment after they change: browsers limit how often. */
export function keepAddress(): void {
  let timer: number | undefined
  effect(() => {
    void [filter.value, sort.value, viewed.value, viewedEarlier.value]
    if (timer !== undefined) clearTimeout(timer)
    // The initial state was read from the address.
    timer = timer === undefined ? 0 : window.setTimeout(writeAddress, PAUSE_MS)
  })
}

function writeAddress(): void {
  const hash = formatHash({
    place: opened.value,
    filter: filter.value,
    sort: sort.value,
    viewed: viewed.value,
    earlier: viewedEarlier.value,
  })
  if (hash !== location.hash) history.replaceState(history.state, '', location.pathname + location.search + hash)
}
