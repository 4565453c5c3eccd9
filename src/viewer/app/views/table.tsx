// The cases, one row each. Only the rows in sight are in the document, however many there are.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Sort, SortKey } from '../data/filter.js'
import { active, cases, opened, severalRuns, shown, sort, sourceState, start } from '../data/store.js'
import { openCase } from '../data/navigate.js'
import { Row, ROW_ID } from './row.js'

export function Table() {
  const body = useRef<HTMLDivElement>(null)
  const items = shown.value
  const window = useWindow(body, items.length)
  useKeepInSight(body, window.rowHeight, opened.value !== undefined)
  const visibleRows = items.slice(window.first, window.last)
  return (
    <div
      class={`grid${severalRuns.value ? ' with-runs' : ''}${start.value?.mode === 'script_test' ? ' scripts' : ''}`}
      role="grid"
      id="cases"
      aria-label="Cases"
      aria-rowcount={items.length + 1}
      aria-activedescendant={items.length > 0 ? `${ROW_ID}${active.value}` : undefined}
      tabIndex={0}
    >
      <div role="rowgroup">
        <div class="row head" role="row" aria-rowindex={1}>
          <Column sortKey="status" label="Status" class="cell-status" />
          <Column sortKey="id" label={start.value?.mode === 'script_test' ? 'Script' : 'Id'} class="cell-id" />
          <Column sortKey="name" label={start.value?.mode === 'script_test' ? 'Test' : 'Case'} class="cell-case" />
          {severalRuns.value && <Column sortKey="rate" label="Runs" class="cell-runs" />}
          <Column sortKey="kind" label="Error" class="cell-kind" />
          <Column sortKey="turns" label="Turns" class="cell-turns end" />
          <Column sortKey="cost" label="Cost" class="cell-cost end" />
          <Column sortKey="duration" label="Time" class="cell-time end" />
        </div>
      </div>
      <div role="rowgroup" class="grid-body" ref={body} style={{ height: `${items.length * window.rowHeight}px` }}>
        {visibleRows.map((item, index) => (
          <Row
            key={item.id}
            item={item}
            index={window.first + index}
            top={(window.first + index) * window.rowHeight}
            active={window.first + index === active.value}
            open={opened.value?.id === item.id}
            onOpen={() => {
              active.value = window.first + index
              openCase(item.id)
            }}
          />
        ))}
      </div>
      {items.length === 0 && (
        <div role="row" class="empty">
          <span role="gridcell">{emptyText()}</span>
        </div>
      )}
    </div>
  )
}

function emptyText(): string {
  if (cases.value.length > 0) return 'No case matches. Press Esc to clear the filters.'
  return sourceState.value === 'following' ? 'Waiting for the first result…' : 'This run has no results.'
}

function Column(props: { sortKey: SortKey; label: string; class: string }) {
  const { key, descending } = sort.value
  const on = key === props.sortKey
  return (
    <div role="columnheader" class={props.class} aria-sort={on ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => (sort.value = nextSort(sort.value, props.sortKey))}>
        <span class="column-label">{props.label}</span>
        <span aria-hidden="true" class="arrow">
          {on ? (descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </div>
  )
}

// Numbers are first shown largest first: that is what people look for.
function nextSort(current: Sort, key: SortKey): Sort {
  if (current.key === key) return { key, descending: !current.descending }
  return { key, descending: key === 'duration' || key === 'cost' || key === 'turns' }
}

interface Window {
  first: number
  last: number
  rowHeight: number
}

const OVERSCAN = 8

function useWindow(body: { current: HTMLDivElement | null }, count: number): Window {
  const [view, setView] = useState<Window>({ first: 0, last: 40, rowHeight: 56 })
  const measure = () => {
    const element = body.current
    if (!element) return
    const rowHeight = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row-height')) || 56
    const above = -element.getBoundingClientRect().top
    const first = Math.max(0, Math.min(count, Math.floor(above / rowHeight)) - OVERSCAN)
    // Some rows are always there, also when the table lies below the fold.
    const last = Math.min(
      count,
      Math.max(first + OVERSCAN, Math.ceil((above + window.innerHeight) / rowHeight) + OVERSCAN),
    )
    setView((old) =>
      old.first === first && old.last === last && old.rowHeight === rowHeight ? old : { first, last, rowHeight },
    )
  }
  useLayoutEffect(measure, [count])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', measure)
    }
  }, [count])
  return { ...view, first: Math.min(view.first, count), last: Math.min(Math.max(view.last, view.first), count) }
}

/** Moving with the keyboard, or opening a case, scrolls just far enough. */
function useKeepInSight(body: { current: HTMLDivElement | null }, rowHeight: number, hasDetail: boolean): void {
  const index = active.value
  const before = useRef('')
  useLayoutEffect(() => {
    // Opening a case changes the layout above the table, which moves the row as well.
    const now = `${index}/${hasDetail}`
    if (before.current === now || !body.current) return
    const first = before.current === ''
    before.current = now
    if (first && !hasDetail) return
    const top = body.current.getBoundingClientRect().top + index * rowHeight
    const covered = document.querySelector('.sticky')?.getBoundingClientRect().height ?? 0
    if (top < covered + rowHeight) window.scrollBy(0, top - covered - rowHeight)
    else if (top + rowHeight > window.innerHeight) window.scrollBy(0, top + rowHeight * 2 - window.innerHeight)
  }, [index, rowHeight, hasDetail])
}
