// The keys that work everywhere on the page.
import { NO_FILTER } from './filter.js'
import { closeCase, move, moveRun, moveVariant, openCase, openStep } from './navigate.js'
import { canRerun, isRerunning, rerun } from './rerun.js'
import { active, comparison, filter, helpOpen, list, opened, setFilter, shown } from './store.js'
import { toggleTheme } from './theme.js'

export function startKeyboard(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || helpOpen.value) return
    if (event.key === 'Escape') {
      leave(event)
      return
    }
    if (isTyping(event.target)) {
      // From the search straight into its results.
      if (event.key === 'Enter' || event.key === 'ArrowDown') focusCases(event)
      return
    }
    const action = KEYS[event.key]
    if (!action || (event.key === 'Enter' && isControl(event.target))) return
    event.preventDefault()
    action(event)
  })
}

const KEYS: Record<string, (event: KeyboardEvent) => void> = {
  j: ({ repeat }) => move(1, repeat),
  ArrowDown: ({ repeat }) => move(1, repeat),
  k: ({ repeat }) => move(-1, repeat),
  ArrowUp: ({ repeat }) => move(-1, repeat),
  Enter: openActive,
  '/': () => document.getElementById('search')?.focus(),
  f: toggleFailures,
  '[': () => moveRun(-1),
  ']': () => moveRun(1),
  v: moveVariant,
  r: rerunOpened,
  n: ({ repeat }) => moveStep(1, repeat),
  p: ({ repeat }) => moveStep(-1, repeat),
  c: () => document.getElementById('copy-case')?.click(),
  e: () => document.getElementById('open-case')?.click(),
  t: toggleTheme,
  '?': () => (helpOpen.value = true),
}

function toggleFailures(): void {
  const { status, change } = filter.value
  if (comparison.value) setFilter({ change: change === 'newly_failing' ? NO_FILTER.change : 'newly_failing' })
  else setFilter({ status: status === 'failed' ? 'all' : 'failed' })
}

function rerunOpened(): void {
  const row = opened.value && list.row(opened.value.id)
  if (row && canRerun.value && !isRerunning.value) void rerun([row.id])
}

function openActive(): void {
  const item = shown.value[active.value]
  if (!item) return
  openCase(item.title)
  // Once the panel is there.
  setTimeout(() => document.getElementById('detail')?.focus())
}

/** Only the page knows how many there are. */
function moveStep(by: number, isPassing: boolean): void {
  const count = document.querySelectorAll('#detail [data-step]').length
  const next = (opened.value?.step ?? (by > 0 ? 0 : count + 1)) + by
  if (next >= 1 && next <= count) openStep(next, isPassing)
}

function leave(event: KeyboardEvent): void {
  if (opened.value) {
    event.preventDefault()
    closeCase()
    document.getElementById('cases')?.focus({ preventScroll: true })
  } else if (isTyping(event.target) && event.target instanceof HTMLElement) {
    if (filter.value.text) setFilter({ text: '' })
    else event.target.blur()
  } else setFilter(NO_FILTER)
}

function focusCases(event: KeyboardEvent): void {
  if (event.target instanceof HTMLSelectElement) return
  event.preventDefault()
  document.getElementById('cases')?.focus({ preventScroll: true })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a, summary, dialog') !== null
}
