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

interface Group {
  words: string
  kind: StabilityClass | 'unknown'
  count: number
}

/** In the run's own words if it has them, from those that pass to those that fail. */
const groups = computed((): Group[] => {
  const labelled = new Map<string, number[]>()
  for (const { item, rate } of rated.value) {
    const label = item.stability?.label
    if (label !== undefined) labelled.set(label, [...(labelled.get(label) ?? []), rate])
  }
  if (labelled.size === 0) return classes()
  const means = [...labelled].map(([words, rates]) => {
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    return {
      words,
      mean,
      count: rates.length,
      kind: /^(?:passes|fails) /.test(words) ? classOf(mean) : 'unknown',
    } as const
  })
  return means.toSorted((a, b) => Number(a.kind === 'unknown') - Number(b.kind === 'unknown') || b.mean - a.mean)
})

/** Files of older versions have no labels: only what was seen is said. */
function classes(): Group[] {
  return STABILITY_CLASSES.map((kind) => ({
    words: SEEN[kind],
    kind,
    count: rated.value.filter(({ rate }) => classOf(rate) === kind).length,
  }))
}

const SEEN: Record<StabilityClass, string> = {
  stable: 'passed every run',
  mostly_stable: 'passed most runs',
  unstable: 'passed some runs',
  highly_unstable: 'failed most runs',
  always_fails: 'failed every run',
}

export function Stability() {
  return (
    <section class="panel chart" aria-labelledby="stability-title">
      <h2 id="stability-title">Stability</h2>
      <dl class="classes">
        {groups.value.map(({ words, kind, count }) => (
          <div key={words} class={`class-${kind}`}>
            <dt>{words}</dt>
            <dd>{formatCount(count)}</dd>
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
