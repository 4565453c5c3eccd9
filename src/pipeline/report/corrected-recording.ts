// A finished run whose summary is corrected by what people said about its judges since. Its file stays as it is.
import { defined } from '../../base/defined.js'
import type { RunEvent, SummaryEvent, VariantSummary } from '../../model/event.js'
import type { JudgedSource } from '../fold/judged/judged-fold.js'
import type { SummaryFold } from '../fold/summary.js'
import { openFold } from './overview.js'
import type { Recording } from './recording.js'

export async function correctedRecording(recording: Recording, source: JudgedSource | undefined): Promise<Recording> {
  if (!source) return recording
  const correct = await correctionsOf(recording, source)
  return {
    ...recording,
    async *events() {
      for await (const event of recording.events()) yield event.type === 'summary' ? correct(event) : event
    },
  }
}

/** What to do with its summary. */
export async function correctionsOf(
  recording: Recording,
  source: JudgedSource,
): Promise<(summary: SummaryEvent) => SummaryEvent> {
  const found = await foldAgain(recording.events(), source)
  return (summary) =>
    defined({
      ...summary,
      corrected: found.corrected ?? summary.corrected,
      variants: summary.variants?.map((row, at) => correctedRow(row, found.variants?.[at])),
    })
}

async function foldAgain(events: AsyncIterable<RunEvent>, source: JudgedSource): Promise<SummaryEvent> {
  let fold: SummaryFold | undefined
  for await (const event of events) {
    fold ??= openFold(event.type === 'start' ? event : undefined, event.type === 'stability', source)
    fold.add(event)
  }
  return (fold ?? openFold(undefined, false)).counts(undefined)
}

/** What was tested besides is as the run found it. */
function correctedRow(row: VariantSummary, found: VariantSummary | undefined): VariantSummary {
  if (!found?.corrected && found?.difference?.as_judged === undefined) return row
  const { fell: _fell, rose: _rose, first_runs: _first, ...difference } = found.difference ?? {}
  return defined({
    ...row,
    corrected: found.corrected,
    difference: row.difference && { ...row.difference, ...difference },
    best: row.best === undefined ? undefined : found.best,
  })
}
