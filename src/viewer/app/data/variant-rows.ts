// The numbers of each variant: the run's own once it has ended, until then what has arrived so far.
import { computed } from '@preact/signals'
import { quantileOfSorted } from '../../../base/quantile.js'
import type { VariantSummary } from '../../../model/event.js'
import { cases, start, summary, variantNames, variants } from './store.js'

/** The counts are always those of the results on the page. */
export const variantRows = computed((): VariantSummary[] => {
  const told = variants.value?.rows ?? summary.value?.variants
  return variantNames.value.map((name) => ({
    ...(told?.find((row) => row.name === name) ?? soFar(name)),
    ...countsOf(name),
  }))
})

type Counts = Pick<
  VariantSummary,
  'name' | 'total' | 'passed' | 'failed' | 'skipped' | 'not_shown' | 'not_run' | 'undetermined' | 'flaky' | 'failed_ids'
>

function countsOf(name: string): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0, not_shown: 0, undetermined: 0, flaky: 0 }
  let own = 0
  for (const item of cases.value) {
    if (item.variant !== name) continue
    own += 1
    counts[item.status] += 1
    if (item.flaky) counts.flaky += 1
  }
  const total = Math.max(start.value?.total_cases ?? 0, own)
  return { name, total, ...counts, not_run: total - own, failed_ids: [] }
}

function soFar(name: string): Partial<VariantSummary> {
  const own = cases.value.filter((item) => item.variant === name && item.status !== 'skipped')
  if (own.length === 0) return {}
  const durations = Float64Array.from(own, (item) => item.durationMs).toSorted()
  const costs = own.flatMap((item) => item.cost ?? [])
  return {
    pass_rate: (own.reduce((sum, { passed, results }) => sum + passed / results.length, 0) / own.length) * 100,
    p50_duration_ms: quantileOfSorted(durations, 0.5),
    p95_duration_ms: quantileOfSorted(durations, 0.95),
    ...(costs.length > 0 && { cost_dollars: costs.reduce((sum, cost) => sum + cost, 0) }),
  }
}
