// The top of a comparison: its conclusion, the two runs, and the measures with the tests behind them.
import { comparison } from '../../data/store.js'
import type { ComparedMeasure, ComparedSide } from '../../../../model/compared-case.js'
import { formatPercent } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { formatTime } from '../../text/format.js'
import { TopBar } from '../header.js'
import { LongText, Text } from '../text.js'

export function ComparedHeader({ onBack }: { onBack?: (() => void) | undefined }) {
  const found = comparison.value
  if (!found) return null
  return (
    <header class="top">
      <TopBar onBack={onBack} />
      <div class="headline">
        <h1>Before and after</h1>
      </div>
      <div class={`conclusion tone-${found.conclusion.tone}`}>
        <LongText value={found.conclusion.text} />
      </div>
      {found.notes.length > 0 && (
        <ul class="notice">
          {found.notes.map((note) => (
            <li key={note}>
              <LongText value={note} />
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}

export function ComparedOverview() {
  const found = comparison.value
  if (!found) return null
  return (
    <div class="compared-overview">
      <div class="measures">
        <Side title="Before" side={found.before} />
        <Side title="After" side={found.after} />
        {found.measures.map((row) => (
          <Measure key={row.name} row={row} />
        ))}
      </div>
      <div class="compared-lists">
        {found.lists.map(({ title, lines, more }) => (
          <details class="panel compared-list" key={title}>
            <summary>
              <h2>{title}</h2> <span class="muted">{lines.length + more}</span>
            </summary>
            <ul>
              {lines.map((line) => (
                <li key={line}>
                  <Text value={line} />
                </li>
              ))}
              {more > 0 && <li class="muted">and {more} more</li>}
            </ul>
          </details>
        ))}
      </div>
    </div>
  )
}

function Side({ title, side }: { title: string; side: ComparedSide }) {
  return (
    <section class="panel measure" aria-label={title}>
      <h2>{title}</h2>
      <p class="measure-values">{formatPercent(side.pass_rate)}</p>
      <p>{visible(side.cases)}</p>
      <p class="muted">
        <bdi>{visible(side.agent)}</bdi> · {formatTime(side.timestamp)}
      </p>
    </section>
  )
}

function Measure({ row }: { row: ComparedMeasure }) {
  return (
    <section class="panel measure" aria-label={row.name}>
      <h2>{row.name}</h2>
      {row.before !== '' && (
        <p class="measure-values">
          {row.before} → {row.after}
        </p>
      )}
      <p>
        <span class={`call tone-${row.tone}`}>{row.verdict}</span> {row.change}
      </p>
      <p class="muted">{row.test}</p>
    </section>
  )
}
