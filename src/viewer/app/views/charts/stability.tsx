// How many cases are steady, and those that are not: a case that always fails is steady too.
import { computed } from '@preact/signals'
import { STABILITY_CLASSES, type StabilityClass } from '../../../../model/stability-class.js'
import { passRate } from '../../data/cases.js'
import { openResult } from '../../data/navigate.js'
import { cases } from '../../data/store.js'
import { formatCount, formatPercent } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { RunSquares } from '../run-squares.js'
import { RateBar } from './rate-bar.js'

const rated = computed(() =>
  cases.value.filter((item) => item.status !== 'skipped').map((item) => ({ item, rate: passRate(item) })),
)
const flakiest = computed(() =>
  rated.value
    .filter((entry) => entry.rate > 0 && entry.rate < 100)
    .toSorted((a, b) => a.rate - b.rate)
    .slice(0, 6),
)

export function Stability() {
  const counts = new Map<string, number>()
  for (const { rate } of rated.value) counts.set(classOf(rate), (counts.get(classOf(rate)) ?? 0) + 1)
  return (
    <section class="panel chart" aria-labelledby="stability-title">
      <h2 id="stability-title">Stability</h2>
      <dl class="classes">
        {STABILITY_CLASSES.map((name) => (
          <div key={name} class={`class-${name}`}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{formatCount(counts.get(name) ?? 0)}</dd>
          </div>
        ))}
      </dl>
      {flakiest.value.length > 0 && (
        <ul class="stability-list">
          {flakiest.value.map(({ item, rate }) => (
            <li key={item.title}>
              <button type="button" onClick={() => openResult(item)}>
                <span class="bar-label">
                  <bdi>{visible(item.title)}</bdi>
                </span>
                {item.stability ? <RateBar event={item.stability} /> : <span>{formatPercent(rate)}</span>}
                <RunSquares item={item} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function classOf(rate: number): StabilityClass {
  if (rate === 0) return 'always_fails'
  if (rate >= 100) return 'stable'
  if (rate >= 80) return 'mostly_stable'
  return rate >= 50 ? 'unstable' : 'highly_unstable'
}
