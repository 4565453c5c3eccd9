// Variants in words: a row each, the distance from the baseline, and which may be the best. The same in every format.
import { formatDuration } from '../../base/duration.js'
import {
  formatCost,
  formatSpent,
  formatCount,
  formatP,
  formatPercent,
  formatPoints,
  plural,
} from '../../base/format.js'
import type { Tone } from '../../model/compared-case.js'
import { correctedRates } from '../../model/corrected-text.js'
import type { SummaryEvent, VariantSummary } from '../../model/event.js'
import { changeLines, describeDecision } from '../fold/decide/describe-decision.js'
import { LEVEL } from '../fold/decide/variant-claims.js'
import { describeMoved } from '../fold/behaviour/compare-behaviour.js'

export interface SideBySide {
  head: [string, string, ...string[]]
  rows: string[][]
  /** The conclusions. */
  sentences: string[]
}

export function sideBySide({
  variants = [],
  decision,
}: Pick<SummaryEvent, 'variants' | 'decision'>): SideBySide | undefined {
  const [baseline, ...others] = variants
  if (!baseline) return undefined
  const differences = describeDifferences(variants)
  // Rates are those of the verdicts: what has none must be seen beside them.
  const isLost = variants.some(({ lost = 0 }) => lost > 0)
  return {
    head: [
      'Variant',
      'Pass rate',
      '95% interval',
      ...(isLost ? ['No verdict'] : []),
      'Median',
      'p95',
      'Tokens',
      'Cost',
      'Flaky',
      'Not run',
    ],
    rows: variants.map((variant) => rowOf(variant, isLost)),
    sentences: [
      ...others.flatMap((variant, index) => [
        decision
          ? `${variant.name}: ${describeDecision(decision, decision.rule)}`
          : sentenceOf(variant, baseline, differences[index]),
        ...(differences[index]?.cases ?? []).map((text) => `${variant.name} against ${baseline.name}: ${text}`),
        ...changesOf(variant, baseline),
      ]),
      ...bestOf(variants),
      ...correctedRates(variants),
      ...untestedCases(variants),
      ...offeredSkills(variants),
    ],
  }
}

/** What each side could choose from: nothing but the skill under test should differ. */
function offeredSkills(variants: readonly VariantSummary[]): string[] {
  const [first, ...others] = variants
  if (!first?.skills_offered) return []
  const base = new Set(first.skills_offered)
  const more = others.map(({ name, skills_offered: own = [] }) => {
    const [added, gone] = [own.filter((skill) => !base.has(skill)), [...base].filter((skill) => !own.includes(skill))]
    const words = [added.length > 0 && `also ${namesOf(added)}`, gone.length > 0 && `not ${namesOf(gone)}`]
    return `${name}: ${words.filter((text) => text !== false).join(', ') || 'the same'}`
  })
  return [`Skills offered: ${first.name}: ${namesOf(first.skills_offered)}; ${more.join('; ')}`]
}

const SHOWN_SKILLS = 6

/** Names are the agent's word: what could be anything but a name is not shown. */
function namesOf(skills: readonly string[]): string {
  if (skills.length === 0) return 'none'
  const shown = skills.slice(0, SHOWN_SKILLS).map((name) => (/^[\w.:@/-]{1,64}$/.test(name) ? name : '(odd name)'))
  const left = skills.length - shown.length
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ')
}

function sentenceOf({ name }: VariantSummary, baseline: VariantSummary, found: Difference | undefined): string {
  if (!found) return `${name} and ${baseline.name}: no case has a verdict in both`
  return `${name} ${found.words} ${baseline.name}: ${found.numbers}`
}

function rowOf(variant: VariantSummary, isLost: boolean): string[] {
  const {
    name,
    pass_rate,
    interval,
    lost = 0,
    p50_duration_ms,
    p95_duration_ms,
    usage,
    cost_dollars,
    cost_estimated,
    flaky = 0,
    not_run,
  } = variant
  return [
    name,
    pass_rate === undefined ? NONE : formatPercent(pass_rate),
    interval === undefined ? NONE : `${formatPercent(interval.low)} to ${formatPercent(interval.high)}`,
    ...(isLost ? [formatCount(lost)] : []),
    p50_duration_ms === undefined ? NONE : formatDuration(p50_duration_ms),
    p95_duration_ms === undefined ? NONE : formatDuration(p95_duration_ms),
    usage === undefined ? NONE : formatCount(usage.total_tokens),
    cost_dollars === undefined ? NONE : formatSpent(cost_dollars, cost_estimated),
    formatCount(flaky),
    formatCount(not_run),
  ]
}

const NONE = '–'
/** Percentage points; less than that is not a difference that matters. */
const PRACTICAL_POINTS = 1

export interface Difference {
  words: string
  tone: Tone
  numbers: string
  /** Those that changed by more than chance, a line each. */
  cases: string[]
}

/** What can be said about each variant against the baseline; undefined if no case has a verdict in both. */
export function describeDifferences(variants: readonly VariantSummary[]): Array<Difference | undefined> {
  const lostBefore = variants[0]?.lost ?? 0
  return variants.slice(1).map(({ difference, lost = 0 }) => {
    if (!difference) return undefined
    const { points, low, high, p_value, cases, as_judged } = difference
    const interval = `95% interval ${formatPoints(low)} to ${formatPoints(high)}`
    const runs = plural(lostBefore + lost, 'run')
    const also = lostBefore + lost > 0 ? `; p counts ${runs} without a verdict as failed, too` : ''
    const judged = as_judged === undefined ? '' : `; ${formatPoints(as_judged)} as judged`
    const numbers = `${formatPoints(points)} points (${interval}, ${formatP(p_value)}, ${plural(cases, 'case')}${also}${judged})`
    return { ...wordsOf(difference), numbers, cases: changedCases(difference) }
  })
}

function hasChanged({ fell = [], rose = [] }: Distance): boolean {
  return fell.length + rose.length > 0
}

type Distance = NonNullable<VariantSummary['difference']>

/** Beyond chance, and by enough to matter. What single cases did is said beside it, and must not seem to be denied. */
function wordsOf(distance: Distance): Pick<Difference, 'words' | 'tone'> {
  const { points, p_value, fell = [], rose = [] } = distance
  const whole = hasChanged(distance) ? 'on the whole ' : ''
  if (p_value < LEVEL && Math.abs(points) > PRACTICAL_POINTS)
    return points < 0
      ? { words: `is ${whole}worse than`, tone: 'bad' }
      : { words: `is ${whole}better than`, tone: fell.length > 0 ? 'note' : 'good' }
  const words = p_value < LEVEL ? `is ${whole}hardly different from` : `cannot ${whole}be distinguished from`
  if (fell.length > 0) return { words, tone: rose.length > 0 ? 'note' : 'bad' }
  return { words, tone: rose.length > 0 ? 'good' : '' }
}

function changedCases({ fell = [], rose = [] }: Distance): string[] {
  return [...changeLines(fell, 'fell', 'Fisher'), ...changeLines(rose, 'rose', 'Fisher')]
}

/** Fewer can end as differently as they like. */
const TELLING_RUNS = 5

/** With `--runs auto`, as few runs as every case has may say nothing about a single one. */
function untestedCases(variants: readonly VariantSummary[]): string[] {
  const differences = variants.flatMap(({ difference }) => difference ?? [])
  const first = differences[0]?.first_runs ?? TELLING_RUNS
  if (first >= TELLING_RUNS || differences.some(hasChanged)) return []
  return [
    `Single cases cannot be compared: with --runs auto each is sure to have ${plural(first, 'run')}, and ${TELLING_RUNS} would be needed (--runs ${TELLING_RUNS})`,
  ]
}

/** Time, cost and behaviour, if there is something to say: beyond chance, and by enough to matter. */
export function changesOf(variant: VariantSummary, baseline: Pick<VariantSummary, 'name'>): string[] {
  const { name, duration_change, cost_change, behaviour_change } = variant
  const shifts: Array<[ShiftSummary | undefined, worse: string, better: string, (value: number) => string]> = [
    [duration_change, 'slower', 'faster', formatDuration],
    [cost_change, 'more expensive', 'cheaper', formatCost],
  ]
  const said = shifts.flatMap(([shift, worse, better, format]) => {
    if (shift?.verdict !== 'worse' && shift?.verdict !== 'better') return []
    const numbers = `${format(shift.before)} → ${format(shift.after)} for the typical case (×${shift.ratio.toFixed(2)}, ${formatP(shift.p_value)}, ${plural(shift.pairs, 'case')})`
    return [`${name} is ${shift.verdict === 'worse' ? worse : better} than ${baseline.name}: ${numbers}`]
  })
  if (behaviour_change?.verdict !== 'drift') return said
  return [
    ...said,
    `${name} behaves differently from ${baseline.name} (${formatP(behaviour_change.p_value)}): ${movedOf(behaviour_change)}`,
  ]
}

type ShiftSummary = NonNullable<VariantSummary['duration_change']>

function movedOf({ moved }: NonNullable<VariantSummary['behaviour_change']>): string {
  if (moved.length === 0) return 'many small differences, none of which stands out alone'
  return moved.map(describeMoved).join('; ')
}

export function bestOf(variants: readonly VariantSummary[]): string[] {
  const best = variants.filter((variant) => variant.best)
  if (best.length === 0) return []
  const names = best.map(({ name }) => name).join(', ')
  const whole = variants.some(({ difference }) => difference && hasChanged(difference)) ? ' on the whole' : ''
  if (best.length === variants.length) return [`Best: none of the ${variants.length} stands out${whole}`]
  return [best.length === 1 ? `Best: ${names}` : `Best: ${names}, which cannot be told apart`]
}
