// A comparison as a page shows it above its cases: sentences and numbers, nothing left to compute.
import { formatDuration } from '../../../base/duration.js'
import { formatCost } from '../../../base/format.js'
import type { ComparedSide, ComparisonOverview, Tone } from '../../../model/compared-case.js'
import { conclusion, describeRateChange, describeShift, describeSide, measures, overlap } from './describe.js'
import type { CaseShift, Comparison, RunSide } from './types.js'

export function overviewOf(comparison: Comparison): ComparisonOverview {
  const { before, after, notes, duration, cost, regressed, improved } = comparison
  const lists: ComparisonOverview['lists'] = []
  const list = (title: string, lines: string[], count = lines.length) => {
    if (lines.length > 0) lists.push({ title, lines: lines.slice(0, LISTED), more: Math.max(0, count - LISTED) })
  }
  const shifts = (items: CaseShift[] | undefined, format: (value: number) => string) =>
    (items ?? []).map((item) => `${item.id}: ${describeShift(item, format)}`)
  list(
    'Changed pass rate',
    [...regressed, ...improved].map((change) => `${change.id}: ${describeRateChange(change)}`),
  )
  list('Slower', shifts(duration.up, formatDuration))
  list('Faster', shifts(duration.down, formatDuration))
  list('More expensive', shifts(cost?.up, formatCost))
  list('Cheaper', shifts(cost?.down, formatCost))
  for (const [title, { ids, count }] of overlap(comparison)) list(title, ids, count)
  return {
    conclusion: { text: conclusion(comparison), tone: toneOf(comparison) },
    notes,
    before: sideOf(before),
    after: sideOf(after),
    measures: measures(comparison).map((row) => ({ ...row, tone: TONES[row.verdict] ?? '' })),
    lists,
  }
}

const LISTED = 50

function sideOf(side: RunSide): ComparedSide {
  const { run_id, agent_id, connector, timestamp, pass_rate } = side
  return {
    run_id,
    agent: connector === undefined ? agent_id : `${agent_id} (${connector})`,
    timestamp,
    cases: describeSide(side),
    pass_rate,
  }
}

function toneOf({ regression, cannot_compare, newly_failing, cases }: Comparison): Tone {
  if (regression || cannot_compare) return 'bad'
  return newly_failing.count + cases.missing.count > 0 ? 'note' : 'good'
}

const TONES: Record<string, Tone> = {
  worse: 'bad',
  more: 'bad',
  slower: 'bad',
  dearer: 'bad',
  better: 'good',
  fewer: 'good',
  faster: 'good',
  cheaper: 'good',
}
