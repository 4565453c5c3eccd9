// Above the table: search, filters, and the export of what is shown.
import { computed } from '@preact/signals'
import { CASE_CHANGES } from '../../../model/compared-case.js'
import {
  countBy,
  FAILURES_FIRST,
  nextSort,
  NO_FILTER,
  type ChangeFilter,
  type Filter,
  type SortKey,
  type StatusFilter,
} from '../data/filter.js'
import { exportCsv, exportJson } from '../data/export.js'
import { answersShown, cases, comparison, filter, rows, setFilter, shown, sort, variantNames } from '../data/store.js'
import { formatCount, plural } from '../../../base/format.js'
import { visible } from '../../../base/hidden.js'
import { capitalised } from '../../../base/text.js'
import { CHANGE_WORDS } from './compare/change.js'
import { Glyph } from './icons.js'

const tags = computed(() => countBy(rows.value, (item) => item.tags))
const variants = computed(() =>
  countBy(cases.value, (item) => [item.variant]).toSorted(
    ([a], [b]) => variantNames.value.indexOf(a) - variantNames.value.indexOf(b),
  ),
)
const kinds = computed(() => countBy(cases.value, (item) => (item.status === 'failed' ? [item.kind] : [])))

export function Toolbar() {
  const current = filter.value
  const filtered = shown.value.length !== rows.value.length
  const isDefault = Object.entries(NO_FILTER).every(([key, value]) => current[key as keyof Filter] === value)
  return (
    <div class="toolbar no-print">
      <label class="search">
        <Glyph name="search" />
        <span class="sr-only">Search in id, name, input, output, errors and tools</span>
        <input
          id="search"
          type="search"
          placeholder="Search names, texts, errors…"
          value={current.text}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setFilter({ text: event.currentTarget.value })}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      {comparison.value ? <ChangeSegments /> : <StatusSegments />}
      {variantNames.value.length > 0 && <AnswersSwitch />}
      {variantNames.value.length > 0 && <DifferSegments />}
      {variants.value.length > 0 && (
        <Choice
          label="Variant"
          value={current.variant}
          options={variants.value}
          onChange={(variant) => setFilter({ variant })}
        />
      )}
      {kinds.value.length > 0 && !comparison.value && (
        <Choice label="Error" value={current.kind} options={kinds.value} onChange={(kind) => setFilter({ kind })} />
      )}
      {tags.value.length > 0 && (
        <Choice label="Tag" value={current.tag} options={tags.value} onChange={(tag) => setFilter({ tag })} />
      )}
      {/* For where the columns have no room for headings. */}
      <label class="choice sort-choice">
        <span aria-hidden="true">Sort</span>
        <select
          aria-label="Sort"
          value={sort.value.key}
          onChange={(event) => (sort.value = nextSort(FAILURES_FIRST, event.currentTarget.value as SortKey))}
        >
          {ORDERS.map(([key, label]) => (
            <option key={key} value={key}>
              {key === 'status' && comparison.value ? 'changes first' : label}
            </option>
          ))}
        </select>
      </label>
      <div class="toolbar-end">
        <span class="count" role="status">
          {filtered
            ? `${formatCount(shown.value.length)} of ${plural(rows.value.length, 'case')}`
            : plural(rows.value.length, 'case')}
        </span>
        {!isDefault && (
          <button type="button" class="link" onClick={() => setFilter(NO_FILTER)}>
            Clear
          </button>
        )}
        {!comparison.value && (
          <div class="segments export" role="group" aria-label="Export what is shown">
            <button type="button" onClick={() => void exportJson()}>
              JSON<span class="sr-only"> export</span>
            </button>
            <button type="button" onClick={() => void exportCsv()}>
              CSV<span class="sr-only"> export</span>
            </button>
          </div>
        )}
      </div>
    </div>
  )
}

/** By row: a case that fails with one of its variants has failed. */
const counts = computed(() => {
  const found: Record<StatusFilter, number> = {
    all: 0,
    failed: 0,
    passed: 0,
    skipped: 0,
    not_shown: 0,
    undetermined: 0,
    flaky: 0,
  }
  for (const item of rows.value) {
    const member = filter.value.variant ? item.members?.find((each) => each?.variant === filter.value.variant) : item
    if (!member) continue
    found.all += 1
    found[member.status] += 1
    if (member.flaky) found.flaky += 1
  }
  return found
})

function StatusSegments() {
  const { all, failed, passed, skipped, not_shown: notShown, undetermined, flaky } = counts.value
  return (
    <div class="segments" role="group" aria-label="Status">
      <StatusButton status="all" label="All" count={all} />
      <StatusButton status="failed" label="Failed" count={failed} />
      <StatusButton status="passed" label="Passed" count={passed} />
      <StatusButton status="skipped" label="Skipped" count={skipped} />
      {notShown > 0 && <StatusButton status="not_shown" label="Not shown" count={notShown} />}
      {undetermined > 0 && <StatusButton status="undetermined" label="Undetermined" count={undetermined} />}
      {flaky > 0 && <StatusButton status="flaky" label="Flaky" count={flaky} />}
    </div>
  )
}

const differing = computed(() => ({
  verdicts: rows.value.filter((item) => item.differs?.verdicts).length,
  answers: rows.value.filter((item) => item.differs?.answers).length,
}))

/** With more columns than this there would be no room for a sentence. */
const MOST_ANSWERS = 6

function AnswersSwitch() {
  if (variantNames.value.length > MOST_ANSWERS) return null
  return (
    <div class="segments" role="group" aria-label="Table">
      {[false, true].map((on) => (
        <button
          key={String(on)}
          type="button"
          class="status-all"
          aria-pressed={answersShown.value === on}
          onClick={() => (answersShown.value = on)}
        >
          {on ? 'Answers' : 'Verdicts'}
        </button>
      ))}
    </div>
  )
}

function DifferSegments() {
  return (
    <div class="segments" role="group" aria-label="Where they differ">
      <DifferButton differ="verdicts" label="Verdicts differ" />
      <DifferButton differ="answers" label="Answers differ" />
    </div>
  )
}

function DifferButton({ differ, label }: { differ: 'verdicts' | 'answers'; label: string }) {
  const on = filter.value.differ === differ
  return (
    <button
      type="button"
      aria-pressed={on}
      class="status-flaky"
      onClick={() => setFilter({ differ: on ? '' : differ })}
    >
      {label} <span class="segment-count">{formatCount(differing.value[differ])}</span>
    </button>
  )
}

const changes = computed(() => countBy(cases.value, (item) => (item.compared ? [item.compared.change] : [])))

function ChangeSegments() {
  const counts = new Map(changes.value)
  const all = cases.value.length
  return (
    <div class="segments" role="group" aria-label="Change">
      <ChangeButton change="changed" label="Changed" count={all - (counts.get('same') ?? 0)} />
      {CASE_CHANGES.map((change) => {
        const count = counts.get(change) ?? 0
        return change === 'same' || count === 0 ? null : (
          <ChangeButton key={change} change={change} label={capitalised(CHANGE_WORDS[change])} count={count} />
        )
      })}
      <ChangeButton change="all" label="All" count={all} />
    </div>
  )
}

function ChangeButton({ change, label, count }: { change: ChangeFilter; label: string; count: number }) {
  const on = filter.value.change === change
  return (
    <button type="button" aria-pressed={on} class="status-all" onClick={() => setFilter({ change })}>
      {label} <span class="segment-count">{formatCount(count)}</span>
    </button>
  )
}

const ORDERS: [SortKey, string][] = [
  ['status', 'failures first'],
  ['id', 'id'],
  ['name', 'name'],
  ['kind', 'error'],
  ['rate', 'pass rate'],
  ['turns', 'most turns'],
  ['cost', 'cost'],
  ['duration', 'slowest'],
]

function StatusButton({ status, label, count }: { status: StatusFilter; label: string; count: number }) {
  const on = filter.value.status === status
  return (
    <button type="button" aria-pressed={on} class={`status-${status}`} onClick={() => setFilter({ status })}>
      {label} <span class="segment-count">{formatCount(count)}</span>
    </button>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: [string, number][]
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class={`choice${value ? ' on' : ''}`}>
      <span aria-hidden="true">{label}</span>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {/* A link may name what this run does not have. */}
        {value && !options.some(([option]) => option === value) && <option value={value}>{visible(value)} (0)</option>}
        {options.slice(0, 200).map(([option, count]) => (
          <option key={option} value={option}>
            {visible(option)} ({formatCount(count)})
          </option>
        ))}
      </select>
    </label>
  )
}
