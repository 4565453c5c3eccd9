// One case in the table.
import type { Case } from '../data/cases.js'
import { severalRuns, start, totals, variantNames } from '../data/store.js'
import { formatDuration } from '../../../base/duration.js'
import { formatCost } from '../../../base/format.js'
import { visible } from '../../../base/hidden.js'
import { BeforeAfter, ChangeChip } from './compare/change.js'
import { StatusIcon, words } from './icons.js'
import { RunSquares } from './run-squares.js'
import { AnswerCell } from './variants/answer-cell.js'
import { VariantMark } from './variants/variant-mark.js'

export const ROW_ID = 'case-row-'

interface RowProps {
  item: Case
  index: number
  top: number
  height: number
  active: boolean
  open: boolean
  /** What the variants answered, beside their verdicts. */
  answers: boolean
  onOpen: () => void
}

export function Row({ item, index, top, height, active, open, answers, onOpen }: RowProps) {
  const first = item.results[0]
  const mark = item.flaky && item.status === 'passed' ? 'flaky' : item.status
  const second = item.error || first?.output || ''
  const isScript = start.value?.mode === 'script_test'
  return (
    <div
      id={`${ROW_ID}${index}`}
      role="row"
      class={`row case status-${item.status}${active ? ' active' : ''}${open ? ' open' : ''}`}
      style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
      aria-rowindex={index + 2}
      aria-selected={open}
      onClick={onOpen}
    >
      <div role="gridcell" class={`cell-status status-${mark}`}>
        {item.compared ? (
          <BeforeAfter {...item.compared} />
        ) : (
          <>
            <StatusIcon mark={mark} label={mark === 'flaky' ? 'Passed, flaky' : words(mark)} />
            <span class="status-word" aria-hidden="true">
              {words(mark)}
            </span>
          </>
        )}
      </div>
      <div role="gridcell" class="cell-id">
        <bdi>{visible(isScript ? moduleOf(item) : item.title)}</bdi>
        {answers && <span class="answer-case">{visible(first?.input || item.name)}</span>}
      </div>
      <div role="gridcell" class="cell-case">
        <span class="line">
          <bdi>{visible(item.name || first?.input || item.id)}</bdi>
          {item.tags.slice(0, 3).map((tag) => (
            <span class="tag" key={tag}>
              {visible(tag)}
            </span>
          ))}
        </span>
        {second && (
          <span
            class={
              item.error && (item.status === 'failed' || item.status === 'not_shown')
                ? 'line second wrong'
                : 'line second'
            }
          >
            <bdi>{visible(second)}</bdi>
          </span>
        )}
      </div>
      {item.members && (
        <div role="presentation" class="marks">
          {item.members.map((member, at) =>
            answers ? (
              <AnswerCell
                key={at}
                name={variantNames.value[at] ?? ''}
                member={member}
                baseline={at === 0 ? undefined : item.members?.[0]}
              />
            ) : (
              <div role="gridcell" key={at}>
                <VariantMark name={variantNames.value[at] ?? ''} member={member} />
              </div>
            ),
          )}
        </div>
      )}
      {severalRuns.value && !item.members && (
        <div role="gridcell" class="cell-runs">
          <RunSquares item={item} />
        </div>
      )}
      <div role="gridcell" class="cell-kind">
        {item.compared ? (
          <ChangeChip change={item.compared.change} />
        ) : (
          item.kind && item.status !== 'undetermined' && <span class="kind">{item.kind}</span>
        )}
      </div>
      <div role="gridcell" class="cell-turns end">
        {item.turns > 0 ? item.turns : <span class="muted">–</span>}
      </div>
      <div role="gridcell" class="cell-cost end">
        {item.cost === null ? <span class="muted">–</span> : formatCost(item.cost)}
      </div>
      <div role="gridcell" class="cell-time end">
        {item.status === 'skipped' ? <span class="muted">–</span> : formatDuration(item.durationMs)}
        <span
          class="time-bar"
          aria-hidden="true"
          style={{ width: `${Math.min(100, (item.durationMs / (totals.value.max || 1)) * 100)}%` }}
        />
      </div>
    </div>
  )
}

/** `scripts.a.b` of `scripts.a.b.TestX`: the function's name is in the next column. */
function moduleOf(item: Case): string {
  return item.name && item.id.endsWith(`.${item.name}`) ? item.id.slice(0, -item.name.length - 1) : item.id
}
