// The numbers at a glance. Those that are a share of the cases filter the table when pressed.
import type { StatusFilter } from '../data/filter.js'
import { filter, setFilter, severalRuns, start, summary, totals } from '../data/store.js'
import { contractSentence } from '../../../model/contract-text.js'
import { correctedRates, correctedText, judgeLines } from '../../../model/corrected-text.js'
import { runsRateText } from '../../../model/pass-rate.js'
import { formatDuration } from '../../../base/duration.js'
import { formatCost, formatSpent, formatCount, formatPercent, plural } from '../../../base/format.js'
import { formatShort } from '../text/format.js'
import { Figure } from './figure.js'

export function Summary() {
  const all = totals.value
  return (
    <section class="panel summary" aria-label="Summary">
      <div class="rate">
        <span class="rate-number">{formatPercent(all.passRate)}</span>
        <span class="rate-label">
          of{' '}
          {plural(
            all.passed + all.failed + all.undetermined + all.notShown,
            start.value?.mode === 'script_test' ? 'test' : 'case',
          )}{' '}
          passed
          {severalRuns.value && <span class="muted"> · {runsText(all.runs)}</span>}
        </span>
        <ShareBar />
        <Corrected />
        {summary.value?.contract && <p class="muted">Contract: {contractSentence(summary.value.contract)}</p>}
      </div>
      <dl class="numbers">
        <Tile status="failed" label="Failed" count={all.failed} />
        <Tile status="passed" label="Passed" count={all.passed} />
        <Tile status="skipped" label="Skipped" count={all.skipped} />
        {all.notShown > 0 && <Tile status="not_shown" label="Not shown" count={all.notShown} />}
        {all.undetermined > 0 && <Tile status="undetermined" label="Undetermined" count={all.undetermined} />}
        <Tile status="flaky" label="Flaky" count={all.flaky} />
        {all.notRun > 0 && <Figure label="Not run" value={formatCount(all.notRun)} />}
        <Figure
          label="Total time"
          value={all.durationMs === undefined ? '–' : formatDuration(all.durationMs)}
          note={all.turns > 0 ? plural(all.turns, 'turn') : ''}
        />
        <Figure label="Median" value={formatDuration(all.p50)} note={`p95 ${formatDuration(all.p95)}`} />
        {all.cost !== undefined && (
          <Figure
            label="Cost"
            value={formatSpent(all.cost, all.isEstimated)}
            note={all.runs > 0 ? `${formatCost(all.cost / all.runs)} each` : ''}
          />
        )}
        {all.helpers !== undefined && (
          <Figure label="Helpers" value={formatCost(all.helpers)} note={plural(all.helperCalls, 'call')} />
        )}
        {all.tokens && (
          <Figure
            label="Tokens"
            value={formatShort(all.tokens.total_tokens)}
            note={`${formatShort(all.tokens.output_tokens)} out`}
          />
        )}
      </dl>
    </section>
  )
}

/** What the pass rate is with the error of its judges in it, as far as that is known. */
export function Corrected() {
  const { corrected, variants } = summary.value ?? {}
  const lines = variants ? correctedRates(variants) : corrected ? judgeLines(corrected) : []
  if (lines.length === 0) return null
  return (
    <details class="corrected">
      <summary>
        Corrected for the error of the judge{corrected && !variants ? `: ${correctedText(corrected)}` : ''}
      </summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

function runsText(runs: number): string {
  const overall = summary.value?.overall_pass_rate
  return `${plural(runs, 'run')}${overall === undefined ? '' : `, ${runsRateText(overall)}`}`
}

function Tile({ status, label, count }: { status: StatusFilter; label: string; count: number }) {
  const on = filter.value.status === status
  const share = (count / Math.max(1, totals.value.total)) * 100
  return (
    <div class={`number tile status-${status}${on ? ' on' : ''}${count === 0 ? ' none' : ''}`}>
      <dt>{label}</dt>
      <dd>
        <button
          type="button"
          aria-pressed={on}
          aria-label={`${label}: ${count}. Show only these`}
          onClick={() => setFilter({ status: on ? 'all' : status })}
        >
          {formatCount(count)}
        </button>
      </dd>
      <dd class="sub">{count > 0 ? formatPercent(share) : 'none'}</dd>
    </div>
  )
}

function ShareBar() {
  const { passed, failed, skipped, undetermined, notShown, notRun } = totals.value
  const parts = [
    { name: 'passed', count: passed },
    { name: 'failed', count: failed },
    { name: 'undetermined', count: undetermined },
    { name: 'not_shown', count: notShown },
    { name: 'skipped', count: skipped },
    { name: 'not_run', count: notRun },
  ].filter((part) => part.count > 0)
  const label = parts.map((part) => `${part.count} ${part.name.replace('_', ' ')}`).join(', ')
  return (
    <div class="share-bar" role="img" aria-label={label || 'no results'}>
      {parts.map((part) => (
        <span key={part.name} class={`share status-${part.name}`} style={{ flexGrow: part.count }} />
      ))}
    </div>
  )
}
