// Blame as people read it.
import { formatPercent } from '../../../base/format.js'
import type { Blame } from './party.js'

/** `judge (90%): the judge disagrees with itself …` */
export function blameText({ party, confidence, why }: Pick<Blame, 'party' | 'confidence' | 'why'>): string {
  return `${party} (${percent(confidence)}): ${why}`
}

/** Everything, as labels and texts. What the headline says is not said again. */
export function blameLines({
  blame,
  headline,
}: {
  blame?: Blame
  headline: string
}): Array<[label: string, text: string]> {
  if (blame === undefined) return []
  const { evidence, step, others = [] } = blame
  const isNew = evidence !== undefined && evidence !== '' && !headline.includes(evidence)
  return [
    ['blame', blameText(blame)],
    ...(isNew ? [['evidence', evidence] satisfies [string, string]] : []),
    ...(step ? [['step', stepText(step)] satisfies [string, string]] : []),
    ...others.map((other): [string, string] => ['or', blameText(other)]),
  ]
}

/** For the console: only what a reader would not guess from the rest. */
export function briefBlame(blame: Blame | undefined): string[] {
  if (blame === undefined) return []
  if (blame.party !== 'agent') return SAID.has(blame.rule) ? [] : [blameText(blame)]
  return blame.step === undefined || !isTelling(blame.step, blame.rule) ? [] : [`agent, ${stepText(blame.step)}`]
}

/** What was measured is right in half of the cases at best; a call made twice is seen in the calls. */
function isTelling({ confidence, rule }: NonNullable<Blame['step']>, blamed: string): boolean {
  return confidence === undefined && (rule !== 'repeated' || blamed === 'repeats-itself')
}

function stepText({ at, what, why, confidence }: NonNullable<Blame['step']>): string {
  const sure = confidence === undefined ? '' : ` (${percent(confidence)})`
  return `${at}${sure}: ${what} – ${why}`
}

function percent(confidence: number): string {
  return formatPercent(Math.round(confidence * 100))
}

/** Rules that repeat what the headline and the cause of such a failure say. */
const SAID = new Set([
  'injected-fault',
  'call-failed',
  'helper-unreachable',
  'simulator-failed',
  'no-verdict',
  'case-unusable',
  'no-next-input',
  'calls-unknown',
  'too-strict',
  'other-type',
  'other-tool-name',
])
