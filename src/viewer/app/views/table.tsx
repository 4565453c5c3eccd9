// The cases, one row each. Only the visible rows are in the document, however many there are.
import { computed } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Case } from '../data/cases.js'
import { nextSort, type SortKey } from '../data/filter.js'
import {
  active,
  answersShown,
  cases,
  comparison,
  filter,
  opened,
  severalRuns,
  shown,
  sort,
  sourceState,
  start,
  variantNames,
} from '../data/store.js'
import { openCase } from '../data/navigate.js'
import { visible } from '../../../base/hidden.js'
import { pickRun } from './detail/use-detail.js'
import { Row, ROW_ID } from './row.js'

export function Table() {
  const body = useRef<HTMLDivElement>(null)
  const items = shown.value
  const heights = useHeights(body)
  const tops = useMemo(() => topsOf(items, heights), [items, heights])
  const [first, last] = useWindow(body, tops)
  useKeepInSight(body, heights.known ? tops : undefined, opened.value !== undefined)
  const scripts = start.value?.mode === 'script_test'
  const { hasTurns, hasCosts } = columns.value
  const names = variantNames.value
  // Beside an open case there is no room, and its answers are there.
  const answers = answersShown.value && names.length > 0 && !opened.value
  return (
    <div
      class={`grid${severalRuns.value && names.length === 0 ? ' with-runs' : ''}${names.length > 0 ? ' with-variants' : ''}${answers ? ' with-answers' : ''}${scripts ? ' scripts' : ''}${hasTurns ? '' : ' no-turns'}${hasCosts ? '' : ' no-costs'}${comparison.value ? ' compared' : ''}`}
      style={names.length > 0 ? marksStyle(names.length, answers) : undefined}
      role="grid"
      id="cases"
      aria-label="Cases"
      aria-rowcount={items.length + 1}
      aria-activedescendant={items.length > 0 ? `${ROW_ID}${active.value}` : undefined}
      tabIndex={0}
    >
      <div role="rowgroup" class="grid-head">
        <div class="row head" role="row" aria-rowindex={1}>
          <Column sortKey="status" label="Status" class="cell-status" />
          <Column sortKey="id" label={scripts ? 'Script' : 'Id'} class="cell-id" />
          <Column sortKey="name" label={scripts ? 'Test' : 'Case'} class="cell-case" />
          {names.length > 0 && (
            <div role="presentation" class="marks">
              {names.map((name) => (
                <div role="columnheader" key={name} class="mark-head" title={name}>
                  <bdi>{visible(name)}</bdi>
                </div>
              ))}
            </div>
          )}
          {severalRuns.value && names.length === 0 && <Column sortKey="rate" label="Runs" class="cell-runs" />}
          <Column sortKey="kind" label={comparison.value ? 'Change' : 'Error'} class="cell-kind" />
          <Column sortKey="turns" label="Turns" class="cell-turns end" />
          <Column sortKey="cost" label="Cost" class="cell-cost end" />
          <Column sortKey="duration" label="Time" class="cell-time end" />
        </div>
      </div>
      <div role="rowgroup" class="grid-body" ref={body} style={{ height: `${tops.at(-1) ?? 0}px` }}>
        {items.slice(first, last).map((item, offset) => {
          const index = first + offset
          const top = tops[index] ?? 0
          return (
            <Row
              key={item.title}
              item={item}
              index={index}
              top={top}
              height={(tops[index + 1] ?? 0) - top}
              active={index === active.value}
              open={opened.value?.id === item.title}
              answers={answers}
              onOpen={() => {
                active.value = index
                openCase(item.title)
              }}
            />
          )
        })}
      </div>
      {items.length === 0 && (
        <div role="row" class="empty">
          <span role="gridcell">{emptyText()}</span>
        </div>
      )}
    </div>
  )
}

/** Answers share the room, or stand below each other where there is little. */
function marksStyle(count: number, answers: boolean): Record<string, string> {
  if (!answers) return { '--marks': `repeat(${count}, ${slotOf(count)}px)` }
  return { '--marks': `repeat(${count}, minmax(0, 1fr))`, '--stacked': `${48 + count * 92}px` }
}

/** Pixels for one mark: with few variants there is room for a word beside it. */
function slotOf(count: number): number {
  return count <= 4 ? 86 : count <= 7 ? 60 : 24
}

/** A column that would be empty leaves its room to the errors. */
const columns = computed(() => ({
  // With several variants the room goes to them.
  hasTurns: variantNames.value.length === 0 && cases.value.some((item) => item.turns > 0),
  hasCosts: cases.value.some((item) => item.cost !== null),
}))

function emptyText(): string {
  if (comparison.value && sourceState.value === 'loading') return 'Reading both runs…'
  if (comparison.value && shown.value.length === 0 && filter.value.change === 'changed' && !filter.value.text)
    return 'No case changed. “All” shows them.'
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

interface Heights {
  /** False until the style sheet was consulted. */
  known: boolean
  row: number
  /** For a case whose error needs a second line. */
  tall: number
  /** In the grid of answers, if they take at most two lines. */
  short: number
  /** About how many characters of an answer fit on a line there. */
  perLine: number
}

const LONG_ERROR = 95
/** Of text at 13 pixels, and wider than most letters. */
const CHARACTER_WIDTH = 8
const CELL_PADDING = 14
const QUESTION_PER_LINE = 20

/** The style sheet says how high rows are; it depends on the available room. */
function useHeights(body: { current: HTMLDivElement | null }): Heights {
  const [heights, setHeights] = useState<Heights>({ known: false, row: 58, tall: 76, short: 58, perLine: 0 })
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return undefined
    const measure = () => {
      const style = getComputedStyle(element)
      const row = Number.parseFloat(style.getPropertyValue('--row-height')) || 58
      const tall = Number.parseFloat(style.getPropertyValue('--tall-row-height')) || row
      const short = Number.parseFloat(style.getPropertyValue('--short-row-height')) || row
      const cell = element.querySelector('.answer-cell')?.clientWidth ?? 0
      const perLine = Math.floor((cell - CELL_PADDING) / CHARACTER_WIDTH)
      const now: Heights = { known: true, row, tall, short, perLine }
      setHeights((old) => (JSON.stringify(old) === JSON.stringify(now) ? old : now))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [opened.value === undefined, answersShown.value])
  return heights
}

/** Where each row begins, and after the last one where it ends. */
function topsOf(items: Case[], { row, tall, short, perLine }: Heights): Float64Array {
  const tops = new Float64Array(items.length + 1)
  items.forEach((item, index) => {
    const isTall = item.status === 'failed' && item.error.length > LONG_ERROR
    const height = short < row && linesOf(item, perLine) <= 2 ? short : isTall ? tall : row
    tops[index + 1] = (tops[index] ?? 0) + height
  })
  return tops
}

/** Of the longest answer, with its error, or of the question in its narrower column. */
function linesOf({ members = [], results, name }: Case, perLine: number): number {
  if (perLine <= 0) return Infinity
  const asked = Math.ceil((results[0]?.input || name).length / QUESTION_PER_LINE) - 1
  const lines = members.map((member) => {
    const answer = (member && pickRun(member, undefined)?.output) ?? ''
    return Math.ceil(answer.length / perLine) + (member?.status === 'failed' ? 1 : 0)
  })
  return Math.max(asked, ...lines)
}

/** The row at a height; binary search, for there may be fifty thousand. */
function rowAt(tops: Float64Array, height: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}

const OVERSCAN = 8

function useWindow(body: { current: HTMLDivElement | null }, tops: Float64Array): [first: number, last: number] {
  const [view, setView] = useState<[number, number]>([0, 40])
  const count = tops.length - 1
  const measure = () => {
    const element = body.current
    if (!element) return
    const above = -element.getBoundingClientRect().top
    const first = Math.max(0, rowAt(tops, above) - OVERSCAN)
    // Some rows are always there, even if the table is below the fold.
    const last = Math.min(count, Math.max(first + OVERSCAN, rowAt(tops, above + window.innerHeight) + 1 + OVERSCAN))
    setView((old) => (old[0] === first && old[1] === last ? old : [first, last]))
  }
  useLayoutEffect(measure, [tops])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    window.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', measure)
    }
  }, [tops])
  const first = Math.min(view[0], count)
  return [first, Math.min(Math.max(view[1], first), count)]
}

/** Moving with the keyboard, or opening a case, scrolls just far enough. */
function useKeepInSight(
  body: { current: HTMLDivElement | null },
  tops: Float64Array | undefined,
  hasDetail: boolean,
): void {
  const index = active.value
  const before = useRef('')
  useLayoutEffect(() => {
    if (!tops) return
    // Opening a case changes the layout above the table and the rows, which moves this one as well.
    const now = `${index}/${hasDetail ? tops[1] : ''}`
    if (before.current === now || !body.current) return
    const first = before.current === ''
    before.current = now
    if (first && !hasDetail) return
    const start = body.current.getBoundingClientRect().top
    const [top, bottom] = [start + (tops[index] ?? 0), start + (tops[index + 1] ?? 0)]
    const covered = [...document.querySelectorAll('.sticky, .grid-head')].reduce(
      (sum, element) => sum + element.getBoundingClientRect().height,
      0,
    )
    if (top < covered) window.scrollBy(0, top - covered - 20)
    else if (bottom > window.innerHeight) window.scrollBy(0, bottom + 60 - window.innerHeight)
  }, [index, tops, hasDetail])
}
