// A pass rate that was corrected for the error of judges, in words that every format shares.
import { formatPercent, plural } from '../base/format.js'
import { visible } from '../base/hidden.js'
import { asText, preview } from '../base/text.js'
import type { CorrectedSummary, VariantSummary } from './event.js'

type JudgeRow = CorrectedSummary['judges'][number]

/** `79% (71% to 86%) of 90 runs, by 60 labels of this run`. */
export function correctedText(corrected: CorrectedSummary): string {
  const { pass_rate, low, high, runs, judges, as_judged } = corrected
  const rate = `${formatPercent(pass_rate)} (${formatPercent(low)} to ${formatPercent(high)}) of ${plural(runs, 'run')}`
  const open = as_judged === undefined ? '' : `; ${plural(as_judged, 'run')} counted as judged`
  return `${rate}, by ${correctedBy(judges)}${open}`
}

function correctedBy(judges: readonly JudgeRow[]): string {
  return [...new Set(judges.map(methodText))].join(' and ')
}

function methodText({ method, labels }: JudgeRow): string {
  return method === 'licence' ? `a licence from ${plural(labels, 'label')}` : `${plural(labels, 'label')} of this run`
}

/** A line for each judge: how often it is wrong. */
export function judgeLines({ judges }: CorrectedSummary): string[] {
  return judges.map((row) => {
    const { judge, model, criterion, runs, as_judged, pass_rate, low, high, false_passes, false_failures } = row
    const rates = `${formatPercent(as_judged)} as judged, ${formatPercent(pass_rate)} (${formatPercent(low)} to ${formatPercent(high)}) corrected by ${methodText(row)}`
    const errors = [
      false_passes === undefined ? undefined : `false passes ${formatPercent(false_passes)}`,
      false_failures === undefined ? undefined : `false failures ${formatPercent(false_failures)}`,
    ].filter((text) => text !== undefined)
    const who = `${judge}${model === undefined ? '' : `, ${model}`}`
    const what = criterion === undefined ? '' : ` (${preview(visible(asText(criterion)), 60)})`
    return `${preview(visible(who), 80)}${what}: ${rates}, ${plural(runs, 'run')}; ${errors.join(', ')}`
  })
}

/** Of each variant; the rates in their table are as judged. */
export function correctedRates(variants: readonly VariantSummary[]): string[] {
  return variants.flatMap(({ name, corrected }) =>
    corrected
      ? [
          `${name}, corrected for the error of the judge: ${correctedText(corrected)}`,
          ...judgeLines(corrected).map((line) => `${name}, ${line}`),
        ]
      : [],
  )
}
