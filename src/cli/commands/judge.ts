// `viva judge check | rates`: how good a judge is by the labels of people, and what that makes of a pass rate.
import { dirname, join, resolve } from 'node:path'
import { formatPercent, formatPoints, plural } from '../../base/format.js'
import { asText, preview } from '../../base/text.js'
import { visible } from '../../base/hidden.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { replaceFile } from '../../files/replace-file.js'
import { makeFolders } from '../../files/make-folders.js'
import type { Licence } from '../../model/licence.js'
import type { Measured } from '../../pipeline/fold/statistics/agreement.js'
import { countOf, differenceOf, type CorrectedRate } from '../../pipeline/fold/statistics/judged-rate.js'
import { findEventFile } from '../../pipeline/record/find-events.js'
import { readEvents } from '../../pipeline/record/read-events.js'
import { readEdges } from '../../pipeline/record/read-parts.js'
import { LICENCES, readLicences } from '../../run/helpers/licences.js'
import { checkJudge, licenceOf, type JudgeCheck } from '../../suite/judges/check.js'
import { judgedAnswers } from '../../pipeline/fold/judged/judged-answers.js'
import { joinLabels, labelsDrawnFrom, peopleAgreement, readLabels, type LabelFile } from '../../suite/judges/labels.js'
import { judgedRateOf, type JudgedRate } from '../../suite/judges/rates.js'
import { tallyJudges } from '../../suite/judges/tally.js'
import { isoNow } from '../../time/iso-now.js'
import type { CommandCall } from '../command.js'
import { note, print } from '../say.js'

export async function judge({ args, flags }: CommandCall): Promise<number> {
  const [what = '', ...files] = args
  return what === 'check' ? check(files, flags) : rates(files, flags)
}

type Flags = CommandCall['flags']

async function check(paths: string[], flags: Flags): Promise<number> {
  const [path = ''] = paths
  const file = joinLabels(paths.map(readLabels))
  const events = await findEventFile(eventsOf(file, flags), process.cwd())
  const { tallies, stale } = await tallyJudges(judgedAnswers(readEvents(events)), file, { byVariant: false })
  const labelled = tallies.filter(({ labels, cannot_tell }) => countOf(labels) + cannot_tell > 0)
  if (labelled.length === 0) throw nothingLabelled(path, events)
  const checks = labelled.map(checkJudge)
  const asked = flags['repeats'] !== undefined || flags['probes'] === true
  if (asked) {
    const { askJudgesAgain } = await import('./judge-again.js')
    await askJudgesAgain(checks, { events, file, flags })
  }
  const people = [...new Set(file.labels.map(({ by }) => by))].toSorted()
  const appRoot = findAppRoot(dirname(resolve(path)), process.cwd())
  const licences = checks.flatMap((each) => licenceOf(each, people, isoNow()) ?? [])
  if (flags['no_licence'] !== true) for (const licence of licences) writeLicence(appRoot, licence)
  if (flags['format'] === 'json') {
    const rows = checks.map(({ judge: by, ...rest }) => ({ ...by, ...rest, licence: rest.refused === undefined }))
    return print(
      `${JSON.stringify({ judges: rows, people, agreement_of_people: peopleAgreement(file.labels) ?? null, stale: stale.length }, undefined, 2)}\n`,
    )
  }
  print(checks.map(describeCheck).join('\n'))
  const among = peopleAgreement(file.labels)
  if (among) note(`People agreed with each other in ${among.same} of ${plural(among.pairs, 'pair')} of labels.`)
  if (stale.length > 0) note(`${plural(stale.length, 'label')} ignored: not of an answer in ${events}.`)
  if (flags['no_licence'] !== true) for (const { hash } of licences) note(`Licence: ${LICENCES}/${hash}.json`)
  return checks.every(({ refused }) => refused === undefined) ? 0 : 1
}

async function rates(paths: string[], flags: Flags): Promise<number> {
  const labels = flags['labels']
  const file = Array.isArray(labels) ? joinLabels((labels as string[]).map(readLabels)) : undefined
  const found: SideRate[] = []
  for (const path of paths) found.push(...(await ratesOf(path, file, paths.length > 1)))
  const differences = differencesOf(found)
  if (flags['format'] === 'json') return print(`${JSON.stringify({ rates: found, differences }, undefined, 2)}\n`)
  return print([...found.map(describeRate), ...differences.map(describeDifference)].join('\n'))
}

/** Of a run or a variant of it. */
interface SideRate extends JudgedRate {
  events?: string
}

async function ratesOf(path: string, file: LabelFile | undefined, isOneOfSeveral: boolean): Promise<SideRate[]> {
  const events = await findEventFile(path, process.cwd())
  const edges = await readEdges(events)
  const own = file && labelsDrawnFrom(file, edges?.start.run_id ?? '')
  const { tallies } = await tallyJudges(judgedAnswers(readEvents(events)), own)
  if (tallies.length === 0) throw noJudge(events)
  const licences = readLicences(findAppRoot(dirname(resolve(events)), process.cwd()))
  return tallies.map((tally) => ({
    ...(isOneOfSeveral && { events }),
    ...judgedRateOf(tally, edges?.start.run_id ?? '', own, licences.get(tally.judge.hash)),
  }))
}

interface RateDifference extends CorrectedRate {
  criterion: unknown
  from: string
  to: string
}

/**
 * Of each side from the first, by the same judge and criterion. Two rates that rest on one licence share its error, which then
 * widens the interval more than it must: the claim stays safe.
 */
function differencesOf(found: readonly SideRate[]): RateDifference[] {
  return found.flatMap((side) => {
    const first = found.find(({ hash }) => hash === side.hash)
    if (first === undefined || first === side || !first.corrected || !side.corrected) return []
    const difference = differenceOf(first.corrected, side.corrected)
    return { criterion: side.criterion, from: sideName(first), to: sideName(side), ...difference }
  })
}

function sideName({ events, variant }: SideRate): string {
  return [events, variant].filter((part) => part !== undefined).join(' ') || 'the run'
}

function describeDifference({ from, to, criterion, rate, interval }: RateDifference): string {
  const verdict =
    interval.low > 0 ? 'better' : interval.high < 0 ? 'worse' : 'no difference beyond chance and the error of the judge'
  const points = (share: number): string => formatPoints(share * 100)
  return `${from} → ${to}: ${points(rate)} points (${points(interval.low)} to ${points(interval.high)}): ${verdict}; ${preview(visible(asText(criterion)), 60)}\n`
}

/** The run that was labelled last, unless another is named. */
function eventsOf({ draws }: LabelFile, flags: Flags): string {
  const given = flags['events']
  if (typeof given === 'string') return given
  const drawn = draws.at(-1)?.run_id
  if (drawn === undefined) throw noEvents()
  return drawn
}

function writeLicence(appRoot: string, licence: Licence): void {
  const folder = join(appRoot, LICENCES)
  makeFolders(folder)
  replaceFile(join(folder, `${licence.hash}.json`), `${JSON.stringify(licence, undefined, 2)}\n`)
}

function describeCheck(found: JudgeCheck): string {
  const { judge: by, criterion, agreement, refused, stability, probes, cannot_tell, labels } = found
  const lines = [
    `${by.id}${by.model === undefined ? '' : `, ${by.model}`}: ${preview(visible(asText(criterion)), 100)}`,
    `  labels           ${countOf(labels)}${cannot_tell > 0 ? `, and ${cannot_tell} that people could not tell` : ''}`,
    `  agreement        ${measured(agreement.agreement)}; chance alone: ${percent(agreement.chance)}`,
    `  kappa            ${agreement.kappa.value.toFixed(2)} (${agreement.kappa.interval.low.toFixed(2)} to ${agreement.kappa.interval.high.toFixed(2)})`,
    `  false passes     ${agreement.false_passes ? measured(agreement.false_passes) : 'unknown: people failed none of the answers'}`,
    `  false failures   ${agreement.false_failures ? measured(agreement.false_failures) : 'unknown: people passed none of the answers'}`,
  ]
  if (stability) lines.push(`  same again       ${measured(stability)}`)
  for (const [name, share] of Object.entries(probes ?? {}))
    lines.push(`  ${name.padEnd(16)} ${measured(share)} unchanged`)
  lines.push(refused === undefined ? '  licence          granted' : `  licence          refused: ${refused}`)
  return `${lines.join('\n')}\n`
}

function describeRate(side: SideRate): string {
  const { judge: id, model, criterion, observed, corrected, notes } = side
  const name = side.events === undefined && side.variant === undefined ? '' : `${sideName(side)}: `
  const lines = [
    `${name}${id}${model === undefined ? '' : `, ${model}`}: ${preview(visible(asText(criterion)), 100)}`,
    `  as judged   ${percent(observed.rate)} of ${observed.count}`,
  ]
  if (corrected) {
    const by =
      corrected.method === 'licence'
        ? `by a licence from ${corrected.labels} labels`
        : `by ${corrected.labels} labels of this run`
    lines.push(
      `  corrected   ${percent(corrected.rate)} (${percent(corrected.interval.low)} to ${percent(corrected.interval.high)}), ${by}`,
    )
  }
  for (const text of notes) lines.push(`  ${text}`)
  return `${lines.join('\n')}\n`
}

function measured({ value, interval }: Measured): string {
  return `${percent(value)} (${percent(interval.low)} to ${percent(interval.high)})`
}

function percent(share: number): string {
  return formatPercent(share * 100)
}

function noEvents(): UserError {
  return new UserError({
    code: 'NO_EVENT_FILE',
    message: 'the labels do not say which run they are of',
    hint: 'name its event file: viva judge check labels.jsonl --events results.jsonl',
  })
}

function nothingLabelled(labels: string, events: string): UserError {
  return new UserError({
    code: 'NO_LABELS',
    message: `no label in ${labels} is of an answer in ${events}`,
    hint: 'name the run that was labelled with --events; labels of answers that have changed do not count',
  })
}

function noJudge(events: string): UserError {
  return new UserError({
    code: 'NO_JUDGE',
    message: `no judge gave a verdict in ${events}`,
    hint: 'rates that rest on a judge need an agent or rubric assertion',
  })
}
