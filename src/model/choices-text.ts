// Which tool or skill was chosen, against what should have been, in words and tables that every format shares.
import { formatCount, formatPercent, plural } from '../base/format.js'
import type { ChoicesSummary, SummaryEvent } from './event.js'
import type { SuiteSection } from './suite-overview.js'

/** Of the whole run, or of each variant. */
export function choicesOf({
  choices = [],
  variants,
}: SummaryEvent): Array<{ variant?: string; choices: ChoicesSummary }> {
  if (!variants) return choices.map((each) => ({ choices: each }))
  return variants.flatMap(({ name, choices: own = [] }) => own.map((each) => ({ variant: name, choices: each })))
}

/** `Right tool in 170 of 200 runs: 85% (79.4% to 89.3%)`, and what those runs are. */
export function choiceSentence({ of, runs, cases, lost, right, rate, confidence }: ChoicesSummary): string {
  if (!rate) return `Right ${of}: not known, ${plural(lost ?? 0, 'run')} ended without a choice that can be read`
  const interval = `${formatPercent(rate.low)} to ${formatPercent(rate.high)}`
  const repeats = runs + (lost ?? 0) > cases ? ` of ${plural(cases, 'case')}, each repeat counted once` : ''
  const open = lost === undefined ? '' : `; ${plural(lost, 'run')} without a known choice not counted`
  return `Right ${of} in ${formatCount(right)} of ${plural(runs, 'run')}${repeats}: ${formatPercent(rate.percent)} (${formatPercent(confidence * 100)} interval ${interval})${open}`
}

/** At most `most` rows each: what was taken instead, each name, near misses. */
export function choiceSections(choices: ChoicesSummary, most: number): SuiteSection[] {
  return [confusions(choices, most), names(choices, most), nearMisses(choices, most)].filter(
    ({ rows }) => rows.length > 0,
  )
}

/** All of the matrix, if it is small enough to be read; else `choiceSections` lists its wrong cells. */
export function choiceMatrix({ of, matrix }: ChoicesSummary, most: number): SuiteSection | undefined {
  const columns = distinct([...matrix.map(({ expected }) => expected), ...matrix.map(({ taken }) => taken)])
  if (columns.length > most || columns.length < 2) return undefined
  const expected = distinct(matrix.map((cell) => cell.expected))
  const countOf = (row: Name, column: Name): string =>
    formatCount(matrix.find((cell) => cell.expected === row && cell.taken === column)?.runs ?? 0)
  return {
    title: `Expected ${of}s (rows) and those taken (columns), in runs`,
    head: ['Expected', ...columns.map((name) => nameText(name, of))],
    rows: expected.map((row) => [nameText(row, of), ...columns.map((column) => countOf(row, column))]),
    more: 0,
  }
}

type Name = string | null

function confusions({ of, matrix }: ChoicesSummary, most: number): SuiteSection {
  const wrong = matrix
    .filter(({ expected, taken }) => expected !== taken)
    .toSorted((left, right) => right.runs - left.runs)
  return {
    title: 'Confusions',
    head: ['Expected', 'Taken', 'Runs'],
    rows: wrong
      .slice(0, most)
      .map((cell) => [nameText(cell.expected, of), nameText(cell.taken, of), formatCount(cell.runs)]),
    more: Math.max(0, wrong.length - most),
  }
}

/** The least reliable ones first. */
function names({ of, names: all }: ChoicesSummary, most: number): SuiteSection {
  const errors = ({ expected, taken, right }: Row): number => expected + taken - 2 * right
  const ordered = all.toSorted((left, right) => errors(right) - errors(left))
  return {
    title: 'Precision and recall',
    head: [of === 'tool' ? 'Tool' : 'Skill', 'Precision', 'Recall'],
    rows: ordered
      .slice(0, most)
      .map(({ name, expected, taken, right, precision, recall }) => [
        nameText(name, of),
        shareText(precision, right, taken),
        shareText(recall, right, expected),
      ]),
    more: Math.max(0, all.length - most),
  }
}

function nearMisses({ near = [], near_misses: total = 0 }: ChoicesSummary, most: number): SuiteSection {
  const shown = near.slice(0, most)
  return {
    title: 'Near misses',
    head: ['Case', 'What was almost right'],
    rows: shown.map(({ id, run, near: text }) => [run === undefined ? id : `${id}, run ${run}`, text]),
    more: total - shown.length,
  }
}

type Row = ChoicesSummary['names'][number]

/** `85% (79.4% to 89.3%), 170 of 200` */
function shareText(share: ChoicesSummary['rate'], part: number, whole: number): string {
  if (!share) return '–'
  return `${formatPercent(share.percent)} (${formatPercent(share.low)} to ${formatPercent(share.high)}), ${formatCount(part)} of ${formatCount(whole)}`
}

/** In parentheses: no tool is called that. */
function nameText(name: Name, of: ChoicesSummary['of']): string {
  return name ?? `(no ${of})`
}

function distinct(names: readonly Name[]): Name[] {
  const found = [...new Set(names)]
  return [...found.filter((name) => name !== null).toSorted(), ...(found.includes(null) ? [null] : [])]
}
