// Opens and closes cases, and keeps the address in step with what is shown.
import { batch, effect } from '@preact/signals'
import { formatHash, parseHash } from './address.js'
import { active, filter, list, opened, shown, sort, viewed, viewedEarlier } from './store.js'

export function openCase(id: string, run?: number): void {
  opened.value = run === undefined ? { id } : { id, run }
  writeAddress()
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
  const item = opened.value && list.find(opened.value.id)
  if (!item) return
  const runs = item.results.map((result) => result.run).toSorted((a, b) => a - b)
  const now = runs.indexOf(opened.value?.run ?? runs[0] ?? 1)
  const run = runs[Math.max(0, Math.min(runs.length - 1, now + step))]
  if (run !== undefined) openCase(item.title, run)
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

/** Writes what is filtered and sorted into the address, a moment after it changed: browsers limit how often. */
export function keepAddress(): void {
  let timer: number | undefined
  effect(() => {
    void [filter.value, sort.value, viewed.value, viewedEarlier.value]
    if (timer !== undefined) clearTimeout(timer)
    // What is there at the start was read from the address.
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
