// The variants as columns: rate with its interval, distance from the baseline, times, tokens, cost; then what they do
// differently, in words.
import { formatDuration } from '../../../../base/duration.js'
import { formatCost, formatSpent, formatCount, formatPercent, plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import type { VariantSummary } from '../../../../model/event.js'
import type { ComparedVariant } from '../../../../model/variants-overview.js'
import type { StatusFilter } from '../../data/filter.js'
import { filter, setFilter, start, summary, totals, variants } from '../../data/store.js'
import { variantRows } from '../../data/variant-rows.js'
import { formatShort } from '../../text/format.js'
import { Text } from '../text.js'

export function Variants() {
  const rows = variantRows.value
  const found = variants.value
  return (
    <section class="variants-section" aria-label="Variants">
      {found?.best && (
        <p class="best-line">
          <Text value={found.best} />
        </p>
      )}
      <div class="variants" style={{ '--count': Math.min(rows.length, 4) }}>
        {rows.map((row, index) => (
          <Column
            key={row.name}
            row={row}
            index={index}
            // If all of them may be the best, none stands out.
            isBest={row.best === true && rows.some(({ best }) => !best)}
            compared={found?.compared.find(({ name }) => name === row.name)}
          />
        ))}
      </div>
      <RunFacts />
      {found && <Behaviour compared={found.compared} baseline={rows[0]?.name ?? ''} />}
    </section>
  )
}

interface ColumnProps {
  row: VariantSummary
  isBest: boolean
  index: number
  compared: ComparedVariant | undefined
}

function Column({ row, index, isBest, compared }: ColumnProps) {
  const isDone = (variants.value ?? summary.value) !== undefined
  return (
    <section class={`panel variant${isBest ? ' is-best' : ''}`} aria-label={visible(row.name)}>
      <header class="variant-head">
        <h2>
          <bdi>{visible(row.name)}</bdi>
        </h2>
        {index === 0 && <span class="baseline-chip">baseline</span>}
        {isBest && <span class="best-chip">may be best</span>}
        <p class="variant-what">{whatOf(row.name)}</p>
      </header>
      <div class="variant-rate">
        <span class="rate-number">{row.pass_rate === undefined ? '–' : formatPercent(row.pass_rate)}</span>
        <span class="rate-label muted">{row.interval ? `${rangeOf(row.interval)}, 95%` : isDone ? '' : 'so far'}</span>
        <RateInterval row={row} />
      </div>
      <div class="variant-difference">{index === 0 ? <BaselineNote /> : <Difference compared={compared} />}</div>
      <div class="variant-counts">
        <Count variant={row.name} status="failed" label="failed" count={row.failed} />
        <Count variant={row.name} status="passed" label="passed" count={row.passed} />
        {row.skipped > 0 && <Count variant={row.name} status="skipped" label="skipped" count={row.skipped} />}
        {(row.not_shown ?? 0) > 0 && (
          <Count variant={row.name} status="not_shown" label="not shown" count={row.not_shown ?? 0} />
        )}
        {(row.undetermined ?? 0) > 0 && (
          <Count variant={row.name} status="undetermined" label="undetermined" count={row.undetermined ?? 0} />
        )}
        {(row.flaky ?? 0) > 0 && <Count variant={row.name} status="flaky" label="flaky" count={row.flaky ?? 0} />}
        {(row.lost ?? 0) > 0 && (
          <span class="count-note status-error">{plural(row.lost ?? 0, 'run')} without a verdict</span>
        )}
        {row.not_run > 0 && <span class="count-note status-error">{formatCount(row.not_run)} not run</span>}
      </div>
      <dl class="variant-numbers">
        <Fact label="Time" value={timeOf(row)} note={slowOf(row)} measure={compared?.measures.find(isOf('Time'))} />
        <Fact label="Tokens" value={row.usage ? formatShort(row.usage.total_tokens) : '–'} note={outOf(row)} />
        <Fact label="Cost" value={costOf(row)} note={eachOf(row)} measure={compared?.measures.find(isOf('Cost'))} />
      </dl>
    </section>
  )
}

function isOf(wanted: string): (measure: { name: string }) => boolean {
  return ({ name }) => name === wanted
}

function whatOf(name: string): string {
  const found = start.value?.variants?.find((variant) => variant.name === name)
  if (!found) return ''
  const { agent_id, connector, preset, locale, env = [], options = {}, descriptions } = found
  const parts = [
    agent_id === name ? '' : agent_id,
    connector === undefined ? '' : `with ${connector}`,
    preset === undefined ? '' : `preset ${preset}`,
    locale ?? '',
    descriptions === undefined ? '' : `descriptions of ${descriptions}`,
    ...env.map((variable) => `${variable} set`),
    ...Object.entries(options).map(([key, value]) => `${key} ${JSON.stringify(value)}`),
  ]
  return visible(parts.filter(Boolean).join(' · '))
}

function BaselineNote() {
  return <span class="muted">baseline</span>
}

function Difference({ compared }: { compared: ComparedVariant | undefined }) {
  if (!compared) return <span class="muted">compared when the run has ended</span>
  return (
    <>
      <span class={`call tone-${compared.tone}`}>
        <Text value={compared.verdict} />
      </span>{' '}
      <span class="muted">{compared.difference}</span>
      {compared.cases.length > 0 && (
        <ul class="variant-cases">
          {compared.cases.map((line) => (
            <li key={line}>
              <Text value={line} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface CountProps {
  variant: string
  status: StatusFilter
  label: string
  count: number
}

function Count({ variant, status, label, count }: CountProps) {
  const on = filter.value.status === status && filter.value.variant === variant
  return (
    <button
      type="button"
      class={`count-chip status-${status}${count === 0 ? ' none' : ''}`}
      aria-pressed={on}
      aria-label={`${visible(variant)}: ${count} ${label}. Show only these`}
      onClick={() => setFilter(on ? { status: 'all', variant: '' } : { status, variant })}
    >
      <strong>{formatCount(count)}</strong> {label}
    </button>
  )
}

interface FactProps {
  label: string
  value: string
  note?: string
  measure?: ComparedVariant['measures'][number] | undefined
}

function Fact({ label, value, note = '', measure }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {note && <span class="muted"> {note}</span>}
        {measure && (
          <span class="measure-call" title={measure.test}>
            <span class={`call tone-${measure.tone}`}>{measure.verdict}</span>{' '}
            <span class="muted">{measure.change}</span>
          </span>
        )}
      </dd>
    </div>
  )
}

/** The bar is what was seen, the bracket what it may really be. */
function RateInterval({ row: { pass_rate, interval } }: { row: VariantSummary }) {
  if (pass_rate === undefined) return null
  const label = `Pass rate ${formatPercent(pass_rate)}${interval ? `, 95% interval ${rangeOf(interval)}` : ''}`
  return (
    <div class="rate-bar class-stable" role="img" aria-label={label}>
      <span class="rate-fill" style={{ width: `${pass_rate}%` }} />
      {interval && (
        <span
          class="rate-interval"
          style={{ left: `${interval.low}%`, width: `${Math.max(0, interval.high - interval.low)}%` }}
        />
      )}
    </div>
  )
}

function rangeOf({ low, high }: { low: number; high: number }): string {
  return `${formatPercent(low)} to ${formatPercent(high)}`
}

function timeOf({ p50_duration_ms }: VariantSummary): string {
  return p50_duration_ms === undefined ? '–' : formatDuration(p50_duration_ms)
}

function slowOf({ p95_duration_ms }: VariantSummary): string {
  return p95_duration_ms === undefined ? '' : `median, p95 ${formatDuration(p95_duration_ms)}`
}

function outOf({ usage }: VariantSummary): string {
  return usage ? `${formatShort(usage.output_tokens)} out` : ''
}

function costOf({ cost_dollars, cost_estimated }: VariantSummary): string {
  return cost_dollars === undefined ? '–' : formatSpent(cost_dollars, cost_estimated)
}

function eachOf({ cost_dollars, total, not_run, skipped }: VariantSummary): string {
  const ran = total - not_run - skipped
  return cost_dollars === undefined || ran === 0 ? '' : `${formatCost(cost_dollars / ran)} a case`
}

/** What belongs to the run, not to a variant. */
function RunFacts() {
  const { durationMs, helpers, helperCalls, runs } = totals.value
  const parts = [
    plural(runs, 'result'),
    durationMs === undefined ? '' : `in ${formatDuration(durationMs)}`,
    helpers === undefined ? '' : `helpers ${formatCost(helpers)}, ${plural(helperCalls, 'call')}`,
  ]
  return <p class="run-facts muted">{parts.filter(Boolean).join(' · ')}</p>
}

function Behaviour({ compared, baseline }: { compared: ComparedVariant[]; baseline: string }) {
  return (
    <section class="panel behaviour" aria-labelledby="behaviour-title">
      <h2 id="behaviour-title">
        Behaviour against <bdi>{visible(baseline)}</bdi>
      </h2>
      <div class="behaviour-list">
        {compared.map(({ name, measures, behaviour }) => {
          const found = measures.find(isOf('Behaviour'))
          return (
            <div key={name}>
              <h3>
                <bdi>{visible(name)}</bdi>{' '}
                <span class={`call tone-${found?.tone ?? ''}`}>
                  {found?.verdict ?? 'no case has a verdict in both'}
                </span>
              </h3>
              {behaviour.length > 0 && (
                <ul>
                  {behaviour.map((line) => (
                    <li key={line}>
                      <Text value={line} />
                    </li>
                  ))}
                </ul>
              )}
              {found && <p class="muted behaviour-test">{found.test}</p>}
            </div>
          )
        })}
      </div>
    </section>
  )
}
