// The variants of one run for a page: every one against the baseline, in verdicts, time, cost and behaviour.
import { defined } from '../../base/defined.js'
import type { VariantSummary } from '../../model/event.js'
import { caseTitle } from '../../model/run-key.js'
import type { ComparedVariant, VariantsOverview } from '../../model/variants-overview.js'
import { compareBehaviour } from '../fold/behaviour/compare-behaviour.js'
import { createFingerprints, type Fingerprints } from '../fold/behaviour/fingerprints.js'
import { PRACTICAL } from '../fold/statistics/practical.js'
import { behaviourLines, variantMeasures } from './compare/describe.js'
import { toned } from './compare/overview-of.js'
import type { Pair } from './compare/pair-up.js'
import { readRun, type RunRecord } from './compare/records.js'
import { testShift } from './compare/shifts.js'
import type { Recording } from './recording.js'
import { bestOf, describeDifference } from './side-by-side.js'

/** Undefined where there is one. Reads the recording twice. */
export async function variantsOverview(recording: Recording): Promise<VariantsOverview | undefined> {
  const fingerprints = createFingerprints()
  const run = await readRun(recording, fingerprints)
  const rows = run.summary.variants ?? []
  const [baseline, ...others] = rows
  if (!baseline) return undefined
  const compared = others.map((variant) => compare(variant, baseline, run, fingerprints))
  return defined({ rows, compared, best: bestOf(rows)[0] })
}

const CONFIDENCE = 0.95

function compare(
  variant: VariantSummary,
  baseline: VariantSummary,
  { cases }: RunRecord,
  fingerprints: Fingerprints,
): ComparedVariant {
  const pairs = pairsOf(cases, baseline.name, variant.name)
  const rule = { confidence: CONFIDENCE, practical: PRACTICAL, noticeable: 0 }
  const behaviour = compareBehaviour(
    pairs.map(({ before, after }) => ({ before: before.fingerprints, after: after.fingerprints })),
    fingerprints,
    PRACTICAL,
  )
  const found = defined({
    duration: testShift(pairs, (record) => record.durations, rule),
    cost: testShift(pairs, (record) => record.costs, rule),
    behaviour: behaviour.pairs > 0 ? behaviour : undefined,
    practical: PRACTICAL,
  })
  const difference = describeDifference(variant)
  return {
    name: variant.name,
    verdict: difference ? `${difference.words} ${baseline.name}` : `no case has a verdict in both`,
    tone: difference?.tone ?? 'note',
    difference: difference?.numbers ?? '',
    measures: variantMeasures(found).map(toned),
    behaviour: behaviourLines(found),
  }
}

/** A variant's name has no ` · `, so that the last one of a title is ours. */
function pairsOf(cases: RunRecord['cases'], baseline: string, variant: string): Pair[] {
  const end = caseTitle({ id: '', variant: baseline })
  return [...cases].flatMap(([title, before]): Pair[] => {
    if (!title.endsWith(end)) return []
    const id = title.slice(0, -end.length)
    const after = cases.get(caseTitle({ id, variant }))
    return after ? [{ id, before, after }] : []
  })
}
