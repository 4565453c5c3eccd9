// What a variant costs against how often it passes, with the interval of the rate. If no price is known: its time.
import { formatDuration } from '../../../../base/duration.js'
import { formatCost, formatPercent } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import type { VariantSummary } from '../../../../model/event.js'

const [WIDTH, HEIGHT] = [360, 200]
const MARGIN = { left: 44, right: 16, top: 12, bottom: 28 }

interface Point {
  name: string
  x: number
  rate: number
  low: number
  high: number
  best: boolean
}

export function Scatter({ rows }: { rows: VariantSummary[] }) {
  const priced = rows.some((row) => (row.cost_dollars ?? 0) > 0)
  const format = priced ? formatCost : formatDuration
  const points = rows.flatMap((row) => pointOf(row, priced))
  if (points.length < 2) return null
  const scale = scaleOf(points)
  const title = priced ? 'Cost and pass rate' : 'Time and pass rate'
  const unpriced = rows.length - points.length
  return (
    <section class="panel chart" aria-labelledby="scatter-title">
      <div class="chart-head">
        <h2 id="scatter-title">{title}</h2>
        <span class="muted chart-note">
          {priced ? 'per case' : 'median'}, 95% intervals{unpriced > 0 ? `; ${unpriced} without` : ''}
        </span>
      </div>
      <svg class="scatter" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describe(points, format)}>
        {scale.rates.map((rate) => (
          <g key={rate}>
            <path class="scatter-grid" d={`M${MARGIN.left} ${scale.y(rate)}H${WIDTH - MARGIN.right}`} />
            <text
              class="scatter-tick"
              x={MARGIN.left - 6}
              y={scale.y(rate)}
              text-anchor="end"
              dominant-baseline="middle"
            >
              {rate}%
            </text>
          </g>
        ))}
        {[...new Map(scale.ticks.toReversed().map((tick) => [format(tick), tick]))].map(([label, tick]) => (
          <text
            key={label}
            class="scatter-tick"
            x={Math.min(scale.x(tick), WIDTH - (label.length * TICK_LETTER) / 2)}
            y={HEIGHT - 8}
            text-anchor="middle"
          >
            {label}
          </text>
        ))}
        {points.map((point) => (
          <path
            key={point.name}
            class={`scatter-interval${point.best ? ' best' : ''}`}
            d={`M${scale.x(point.x)} ${scale.y(point.low)}V${scale.y(point.high)}`}
          />
        ))}
        {points.map((point) => (
          <circle
            key={point.name}
            class={`scatter-point${point.best ? ' best' : ''}`}
            cx={scale.x(point.x)}
            cy={scale.y(point.rate)}
            r="5.5"
          />
        ))}
        {labelsOf(points, scale).map(({ name, x, y, anchor }, index) => (
          <text key={index} class="scatter-label" x={x} y={y} text-anchor={anchor} dominant-baseline="middle">
            {visible(name)}
          </text>
        ))}
      </svg>
    </section>
  )
}

function pointOf(row: VariantSummary, priced: boolean): Point[] {
  const { name, pass_rate, interval, cost_dollars, p50_duration_ms, total, not_run, skipped, best = false } = row
  const ran = total - not_run - skipped
  const x = priced ? (cost_dollars === undefined ? undefined : cost_dollars / Math.max(1, ran)) : p50_duration_ms
  if (pass_rate === undefined || x === undefined) return []
  return [{ name, x, rate: pass_rate, low: interval?.low ?? pass_rate, high: interval?.high ?? pass_rate, best }]
}

interface Scale {
  x(value: number): number
  y(rate: number): number
  ticks: number[]
  rates: number[]
}

function scaleOf(points: Point[]): Scale {
  const most = Math.max(...points.map((point) => point.x)) * 1.15 || 1
  const least = Math.floor(Math.min(...points.map((point) => point.low), 95) / 10) * 10
  const [inner, height] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom]
  const step = 100 - least > 50 ? 25 : 100 - least > 20 ? 10 : 5
  const rates = Array.from({ length: Math.floor((100 - least) / step) + 1 }, (_rate, index) => 100 - index * step)
  return {
    x: (value) => MARGIN.left + (value / most) * inner,
    y: (rate) => MARGIN.top + height * (1 - (rate - least) / Math.max(1, 100 - least)),
    ticks: [0, niceUnder(most / 2), 2 * niceUnder(most / 2)],
    rates,
  }
}

/** 1, 2 or 5 times a power of ten, not above what is given. */
function niceUnder(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([5, 2, 1].find((factor) => factor * power <= most) ?? 1) * power
}

interface Label {
  name: string
  x: number
  y: number
  anchor: 'start' | 'end'
}

const LINE = 13
/** About the width of a letter, in units of the picture. */
const LETTER = 7
const TICK_LETTER = 6.5

/** Beside its point, on the side with room; moved down if it would overlap another. */
function labelsOf(points: Point[], scale: Scale): Label[] {
  const placed: Label[] = []
  for (const point of points.toSorted((a, b) => b.rate - a.rate)) {
    const at = scale.x(point.x)
    const room = { start: WIDTH - at - 10, end: at - 10 - MARGIN.left }
    const anchor = point.name.length * LETTER <= room.start || room.start >= room.end ? 'start' : 'end'
    const letters = Math.floor(room[anchor] / LETTER)
    const name = point.name.length <= letters ? point.name : `${point.name.slice(0, Math.max(1, letters - 1))}…`
    const x = anchor === 'end' ? at - 10 : at + 10
    let y = scale.y(point.rate)
    while (placed.some((other) => other.anchor === anchor && Math.abs(other.y - y) < LINE)) y += LINE
    placed.push({ name, x, y, anchor })
  }
  return placed
}

function describe(points: Point[], format: (value: number) => string): string {
  return points
    .map(({ name, x, rate, low, high }) => {
      const range = `${formatPercent(low)} to ${formatPercent(high)}`
      return `${visible(name)}: ${format(x)}, ${formatPercent(rate)} (${range})`
    })
    .join('; ')
}
