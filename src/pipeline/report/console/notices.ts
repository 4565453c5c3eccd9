// What a reader must know about a run besides its counts: one line each, nothing where there is nothing to say. A new kind of
// notice is a line in `noticeLines`.
import { formatCount, plural } from '../../../base/format.js'
import { capitalised, preview } from '../../../base/text.js'
import type { StartEvent, SummaryEvent } from '../../../model/event.js'
import { contractSentence } from '../../../model/contract-text.js'
import { correctedText, judgeLines } from '../../../model/corrected-text.js'
import { helpersText } from '../../../model/helper-cost.js'
import { testedWithout } from '../../../model/without.js'
import { asTyped, type Screen } from '../recording.js'

export function noticeLines(summary: SummaryEvent, start: StartEvent, screen: Screen): string[] {
  const { flaky, flaky_ids = [], retried, retried_ids = [], not_run, not_run_ids = [], interrupted } = summary
  const { undetermined, undetermined_ids = [] } = summary
  const helpers = helpersText(summary.helpers)
  const notices = [
    flaky ? `Flaky: ${flaky} (${listedIds(flaky_ids, flaky)}), passed after a retry` : undefined,
    retried && start.options['fail_on_flaky'] === 'transport'
      ? `Retried: ${retried} (${listedIds(retried_ids, retried)})`
      : undefined,
    not_run > 0 && not_run_ids.length > 0 ? `Not run: ${listedIds(not_run_ids, not_run)}` : undefined,
    interrupted && undetermined
      ? `Undetermined: ${undetermined} (${listedIds(undetermined_ids, undetermined)})`
      : undefined,
    contractText(summary),
    vacuousText(summary, screen),
    adviceText(summary),
    ...correctedLines(summary),
    helpers === undefined ? undefined : `Helpers: ${preview(helpers, 200)}`,
    snapshotText(summary),
    recordingText(summary),
    faultText(summary),
    withoutText(summary),
    emptyShardText(summary, start),
    interrupted ? 'Interrupted before every case had a verdict' : otherReasons(summary),
  ]
  return notices.filter((text) => text !== undefined).map((text) => `  ${text}`)
}

/** With several variants each has its own, in their table. */
export function correctedLines({ corrected, variants }: SummaryEvent): string[] {
  if (!corrected || variants) return []
  return [`Corrected for the error of the judge: ${correctedText(corrected)}`, ...judgeLines(corrected)]
}

export function contractText({ contract }: SummaryEvent): string | undefined {
  return contract && `Contract: ${contractSentence(contract)}`
}

/** Green, but not because anything was shown. */
export function adviceText({ advice_only: count, advice_only_ids: ids = [] }: SummaryEvent): string | undefined {
  if (count === undefined) return undefined
  const noun = count === 1 ? 'case has' : 'cases have'
  return `Not checked: ${formatCount(count)} passed ${noun} only the advice of a judge without a licence (${listedIds(ids, count)}); see viva judge check`
}

/** A green case that nothing can fail is worth a line, and no more. */
function vacuousText({ vacuous, vacuous_ids = [] }: SummaryEvent, screen: Screen): string | undefined {
  if (vacuous === undefined) return undefined
  const shown = vacuous_ids.slice(0, 3).map((id) => preview(id, 40))
  const more = vacuous > shown.length ? ` and ${formatCount(vacuous - shown.length)} more` : ''
  const which = `${shown.join(', ')}${more}`
  const command = asTyped('viva mutate latest', screen)
  return `Vacuous: an agent that does nothing would pass ${plural(vacuous, 'case')} (${which}); see ${command}`
}

/** Without those that the counts have told. */
function otherReasons(summary: SummaryEvent): string | undefined {
  const reasons = (summary.reasons ?? []).filter((text) => !COUNTED.test(text))
  return reasons.length === 0 && summary.exit_code !== 0 && summary.reasons?.length
    ? undefined
    : reasonText({ ...summary, reasons })
}

const COUNTED = /^[\d,]+ cases? (?:failed|undetermined|not shown: assertions were not reached)$/

const LISTED = 20

export function listedIds(ids: string[], total: number): string {
  const shown = ids.slice(0, LISTED).map((id) => preview(id, 60))
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}

export function snapshotText({ snapshots }: SummaryEvent): string | undefined {
  if (!snapshots) return undefined
  const { written, pending, obsolete } = snapshots
  const parts = [
    written !== undefined && `${formatCount(written)} written`,
    pending !== undefined && `${formatCount(pending)} to review (viva snapshot review)`,
    obsolete !== undefined &&
      `${formatCount(obsolete.length)} no longer used (${listedIds(obsolete, obsolete.length)})`,
  ]
  return `Snapshots: ${parts.filter((part) => part !== false).join(', ')}`
}

export function recordingText({ recording }: SummaryEvent): string | undefined {
  if (!recording) return undefined
  const { replayed, recorded, passed_through, unused, unused_at = [], stale = 0 } = recording
  const parts = [
    replayed > 0 && `${formatCount(replayed)} replayed`,
    recorded > 0 && `${formatCount(recorded)} recorded`,
    passed_through > 0 && `${formatCount(passed_through)} passed through`,
    unused > 0 && `${formatCount(unused)} unused${unusedSources(unused, unused_at)}`,
    stale > 0 && `${formatCount(stale)} older than max_age`,
  ].filter((part) => part !== false)
  return `Recording: ${parts.length > 0 ? parts.join(', ') : 'nothing was asked'}`
}

function unusedSources(unused: number, places: string[]): string {
  const shown = places.slice(0, 3)
  if (shown.length === 0) return ''
  return ` (${shown.join(', ')}${unused > shown.length ? ', …' : ''})`
}

function faultText({ faults }: SummaryEvent): string | undefined {
  return faults === undefined ? undefined : `Chaos: ${plural(faults, 'fault')} injected into calls`
}

export function withoutText({ without }: SummaryEvent): string | undefined {
  const text = testedWithout(without)
  return text === undefined ? undefined : capitalised(text)
}

/** Green, but not because anything passed. */
export function emptyShardText({ total }: SummaryEvent, { options }: StartEvent): string | undefined {
  const { shard } = options
  return total === 0 && typeof shard === 'string' ? `Shard ${shard} has no cases: all are in other shards` : undefined
}

/** Why the exit code is not 0, if failed cases do not explain it: that must not be a riddle. */
export function reasonText({ exit_code, failed, reasons = [], variants, decision }: SummaryEvent): string | undefined {
  if (exit_code === 0 && failed > 0 && variants && !decision)
    return 'Exit code 0: the failures are of variants that --gate leaves out'
  const isClear = exit_code === 0 || (failed > 0 && reasons.length <= 1)
  return isClear ? undefined : `Exit code ${exit_code}: ${preview(reasons.join('; '), 1_000)}`
}
