// The variants of one run for a page: each against the baseline, in verdicts, time, cost and behaviour.
import { defined } from '../../base/defined.js'
import type { Tone } from '../../model/compared-case.js'
import type { SummaryEvent, VariantSummary } from '../../model/event.js'
import type { ComparedVariant, VariantsOverview } from '../../model/variants-overview.js'
import { CaseSides, type VariantChanges } from '../fold/case-sides.js'
import { changeLines, describeAgainst, describeSeen } from '../fold/decide/describe-decision.js'
import { PRACTICAL } from '../fold/statistics/practical.js'
import { behaviourLines, variantMeasures } from './compare/describe.js'
import { toned } from './compare/overview-of.js'
import { readOverview } from './overview.js'
import type { Recording } from './recording.js'
import { bestOf, describeDifferences, type Difference } from './side-by-side.js'

/** Undefined if there is only one. */
export async function variantsOverview(recording: Recording): Promise<VariantsOverview | undefined> {
  const { summary } = await readOverview(recording)
  const rows = summary.variants ?? []
  const [baseline, ...others] = rows
  if (!baseline) return undefined
  const sides = others.some(isTested) ? undefined : await gather(recording, rows)
  const differences = describeDifferences(rows)
  const compared = others.map((variant, index): ComparedVariant => ({
    name: variant.name,
    ...verdictOf(differences[index], baseline.name, summary),
    ...otherwise(sides?.changes(0, index + 1, PRACTICAL) ?? variant),
  }))
  return defined({ rows, compared, best: bestOf(rows)[0] })
}

/** The summary of a whole run says it. */
function isTested({ duration_change, behaviour_change }: VariantSummary): boolean {
  return duration_change !== undefined || behaviour_change !== undefined
}

/** For a run that was cut short, or is still going on. */
async function gather(recording: Recording, rows: readonly VariantSummary[]): Promise<CaseSides> {
  const sides = new CaseSides(rows.length, true)
  for await (const event of recording.events()) {
    if (event.type !== 'result') continue
    sides.add(
      event,
      rows.findIndex(({ name }) => name === event.variant),
    )
  }
  return sides
}

const NOBODY = { up: [], down: [] }

function otherwise({
  duration_change,
  cost_change,
  behaviour_change,
}: VariantChanges): Pick<ComparedVariant, 'measures' | 'behaviour'> {
  const found = defined({
    duration: duration_change && { ...duration_change, ...NOBODY },
    cost: cost_change && { ...cost_change, ...NOBODY },
    behaviour: behaviour_change,
    practical: PRACTICAL,
  })
  return { measures: variantMeasures(found).map(toned), behaviour: behaviourLines(found) }
}

const TONES: Record<NonNullable<SummaryEvent['decision']>['verdict'], Tone> = {
  worse: 'bad',
  slightly_worse: 'note',
  not_worse: 'good',
  undecided: 'note',
}

function verdictOf(
  difference: Difference | undefined,
  baseline: string,
  { decision }: SummaryEvent,
): Pick<ComparedVariant, 'verdict' | 'tone' | 'difference' | 'cases'> {
  if (decision)
    return {
      verdict: describeAgainst(decision, decision.rule, baseline),
      // Not all of it is good.
      tone: decision.verdict === 'not_worse' && decision.fell ? 'note' : TONES[decision.verdict],
      difference: describeSeen(decision),
      cases: changeLines(decision.fell ?? [], 'fell', 'Fisher, one-sided'),
    }
  return {
    verdict: difference ? `${difference.words} ${baseline}` : `no case has a verdict in both`,
    tone: difference?.tone ?? 'note',
    difference: difference?.numbers ?? '',
    cases: difference?.cases ?? [],
  }
}
