// Opens and closes cases, and keeps the address in step.
import { formatHash, parseHash } from './address.js'
import { active, list, opened, shown } from './store.js'

export function openCase(id: string, run?: number): void {
  opened.value = run === undefined ? { id } : { id, run }
  history.replaceState(history.state, '', formatHash(opened.value))
}

export function closeCase(): void {
  opened.value = undefined
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Steps through the table; an open case is replaced by the next. */
export function move(step: number): void {
  const count = shown.value.length
  if (count === 0) return
  const next = Math.max(0, Math.min(count - 1, active.value + step))
  active.value = next
  const item = shown.value[next]
  if (opened.value && item) openCase(item.id)
}

export function moveRun(step: number): void {
  const item = opened.value && list.find(opened.value.id)
  if (!item) return
  const runs = item.results.map((result) => result.run).toSorted((a, b) => a - b)
  const now = runs.indexOf(opened.value?.run ?? runs[0] ?? 1)
  const run = runs[Math.max(0, Math.min(runs.length - 1, now + step))]
  if (run !== undefined) openCase(item.id, run)
}

export function followAddress(): void {
  const place = parseHash(location.hash)
  opened.value = place
  if (!place) return
  const index = shown.value.findIndex((item) => item.id === place.id)
  if (index >= 0) active.value = index
}
