// The runs of one case as a row of squares: how often, and in which pattern, it passed.
import { passRate, type Case } from '../data/cases.js'
import { formatPercent } from '../../../base/format.js'

const MOST = 20

export function RunSquares({ item }: { item: Case }) {
  const results = item.results.toSorted((a, b) => a.run - b.run)
  const label = item.stability?.label
  const told = `${item.passed} of ${results.length} runs passed${label === undefined ? '' : `: ${label}`}`
  return (
    <span class="runs">
      <span class="squares" role="img" aria-label={told} title={told}>
        {results.slice(0, MOST).map((result) => (
          <span key={result.run} class={`square status-${result.status}`} />
        ))}
        {results.length > MOST && <span class="muted">…</span>}
      </span>
      {item.status !== 'skipped' && <span class="runs-rate">{formatPercent(passRate(item))}</span>}
    </span>
  )
}
