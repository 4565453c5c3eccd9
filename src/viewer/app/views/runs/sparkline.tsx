// Pass rates over time, as small as a word: from the oldest run on the left to the newest.
import { formatPercent } from '../../../../base/format.js'

const [WIDTH, HEIGHT, PAD] = [140, 32, 4]
const MOST = 40

export function Sparkline({ rates }: { rates: number[] }) {
  const shown = rates.slice(-MOST)
  if (shown.length < 2) return null
  const points = shown.map((rate, index) => ({
    x: PAD + (index / (shown.length - 1)) * (WIDTH - 2 * PAD),
    y: PAD + (1 - rate / 100) * (HEIGHT - 2 * PAD),
  }))
  const last = points.at(-1)
  const label = `Pass rates of the last ${shown.length} runs, oldest first: ${shown.map((rate) => formatPercent(rate)).join(', ')}`
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <path class="sparkline-full" d={`M0 ${PAD}H${WIDTH}`} />
      <path class="sparkline-line" d={`M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`} />
      {last && <circle class="sparkline-last" cx={last.x} cy={last.y} r="3" />}
    </svg>
  )
}
