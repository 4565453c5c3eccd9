// A comparison as a page shows it above its cases: sentences and numbers, nothing left to compute.
import type { ComparedMeasure, ComparedSide, ComparisonOverview, Measure, Tone } from '../../../model/compared-case.js'
import {
  behaviourLines,
  conclusion,
  describeAssertions,
  describeRateChange,
  describeSide,
  describeTested,
  measures,
  overlap,
  shiftLists,
} from './describe.js'
import type { Comparison, RunSide } from './types.js'

export function overviewOf(comparison: Comparison): ComparisonOverview {
  const { before, after, notes, regressed, improved } = comparison
  const lists: ComparisonOverview['lists'] = []
  const list = (title: string, lines: string[], count = lines.length) => {
    if (lines.length > 0) lists.push({ title, lines: lines.slice(0, LISTED), more: Math.max(0, count - LISTED) })
  }
  const { changed_assertions: changed } = comparison
  list(
    'Changed assertions',
    changed.cases.map((each) => `${each.id}: ${describeAssertions(each)}`),
    changed.count,
  )
  list(
    'Changed pass rate',
    [...regressed, ...improved].map((change) => `${change.id}: ${describeRateChange(change)}`),
  )
  list('Changed behaviour', behaviourLines(comparison))
  for (const [title, items] of shiftLists(comparison))
    list(
      title,
      items.map(([id, text]) => `${id}: ${text}`),
    )
  for (const [title, { ids, count }] of overlap(comparison)) list(title, ids, count)
  return {
    conclusion: { text: conclusion(comparison), tone: toneOf(comparison) },
    notes,
    before: sideOf(before),
    after: sideOf(after),
    measures: measures(comparison).map(toned),
    lists,
  }
}

const LISTED = 50

function sideOf(side: RunSide): ComparedSide {
  const { run_id, timestamp, pass_rate } = side
  return {
    run_id,
    agent: describeTested(side),
    timestamp,
    cases: describeSide(side),
    pass_rate,
  }
}

function toneOf({
  regression,
  cannot_compare,
  no_verdict,
  changed_assertions,
  newly_failing,
  cases,
  ...rest
}: Comparison): Tone {
  if (regression || cannot_compare) return 'bad'
  if (no_verdict || changed_assertions.count > 0) return 'note'
  const isOpen = newly_failing.count + cases.missing.count > 0 || behaviourLines(rest).length > 0
  return isOpen ? 'note' : 'good'
}

export function toned(row: Measure): ComparedMeasure {
  return { ...row, tone: TONES[row.verdict] ?? '' }
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
  changed: 'note',
  different: 'note',
}
