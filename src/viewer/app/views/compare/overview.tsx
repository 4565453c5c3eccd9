// The top of a comparison: its conclusion, the two runs, and the measures with the tests behind them.
import { comparison } from '../../data/store.js'
import type { ComparedMeasure, ComparisonOverview } from '../../../../model/compared-case.js'
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
      <Measures {...found} />
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

/** One row for each measure, so that numbers stand below numbers. */
function Measures({ before, after, measures }: ComparisonOverview) {
  return (
    <table class="panel measures">
      <thead>
        <tr>
          <td />
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        <Facts label="Tested" values={[before.agent, after.agent]} />
        <Facts label="Started" values={[formatTime(before.timestamp), formatTime(after.timestamp)]} />
        <Facts label="Cases" values={[before.cases, after.cases]} />
        {measures.map((row) => (
          <Measure key={row.name} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Facts({ label, values }: { label: string; values: [string, string] }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {values.map((value, index) => (
        <td key={index}>
          <bdi>{visible(value)}</bdi>
        </td>
      ))}
      <td />
    </tr>
  )
}

function Measure({ row }: { row: ComparedMeasure }) {
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td class="measure-value">{row.before}</td>
      <td class="measure-value">{row.after}</td>
      <td>
        <span class={`call tone-${row.tone}`}>{row.verdict}</span> {row.change}
        <span class="measure-test muted">{row.test}</span>
      </td>
    </tr>
  )
}
