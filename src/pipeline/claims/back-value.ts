// Whether something shows a value that an answer names.
import { asText } from '../../base/text.js'
import { sameAmount } from './amounts.js'
import type { ClaimFiles, ClaimVerdict } from './claim.js'
import { ownOf } from './belonging.js'
import { sameDay } from './dates.js'
import type { Ground } from './ground.js'
import type { Known, Source } from './known.js'
import { relativeDays } from './relative-days.js'
import { once } from './text.js'
import type { Amount, Day, Name, PlacedValue, Value } from './value.js'

export interface Backing {
  verdict: ClaimVerdict
  evidence?: string
}

const UNBACKED: Backing = { verdict: 'unbacked' }

export interface Around {
  /** The words of its line. */
  words: readonly string[]
  /** The ids that it is said of. */
  ids: readonly string[]
}

export function backValue(value: Value, around: Around, ground: Ground, files?: ClaimFiles): Backing {
  switch (value.kind) {
    case 'number':
    case 'money':
      return ofKnown(sameAmounts(value, ground), around, ground) ?? otherwise(value, around.words, ground)
    case 'date':
      return (
        ofKnown(sameDays(value, ground), around, ground) ??
        (relativeDays(ground).some((day) => sameDay(value, day))
          ? { verdict: 'backed', evidence: 'the day that is spoken of' }
          : UNBACKED)
      )
    case 'file':
      return backFile(value, ground, files)
    case 'id':
    case 'url':
    case 'quote':
      return backName(value, ground)
  }
}

function ofKnown(all: readonly Known[], { words, ids }: Around, ground: Ground): Backing | undefined {
  const fitting = ids.length > 0 && all.length > 0 ? ownOf(all, ids, ground) : all
  const [other] = all
  if (!fitting)
    return other && { verdict: 'contradicted', evidence: `of another one than ${ids.join(', ')}: ${inWords(other)}` }
  const best = fitting.find(({ labels }) => labels.some((label) => words.includes(label))) ?? fitting[0]
  return best && { verdict: 'backed', evidence: inWords(best) }
}

function inWords({ source, shown }: Known): string {
  return `${source.name}: ${shown}`
}

function isAmount(value: Value): value is Amount {
  return value.kind === 'number' || value.kind === 'money'
}

/** A year may stand alone. */
function sameAmounts(claimed: Amount, { index }: Ground): Known[] {
  const found = index.amountsLike(claimed).filter(({ value }) => isAmount(value) && sameAmount(claimed, value))
  const mayBeYear = claimed.kind === 'number' && claimed.unit === undefined && Number.isInteger(claimed.amount)
  return mayBeYear ? [...found, ...index.ofYear(claimed.amount)] : found
}

function sameDays(claimed: Day, { index }: Ground): Known[] {
  return index.daysLike(claimed).filter(({ value }) => value.kind === 'date' && sameDay(claimed, value))
}

/** Another amount under the same name, in what tools returned: it says otherwise. */
function otherwise(value: Amount, words: readonly string[], ground: Ground): Backing {
  const labels = new Set(words.filter((word) => word.length > 2 && !Object.hasOwn(ground.language.units, word)))
  const rivals = [...labels]
    .flatMap((label) => ground.index.labelled(label))
    .filter(
      ({ value: known }) =>
        isAmount(known) && (known.unit === undefined || known.unit.dimension === value.unit?.dimension),
    )
  const amounts = new Set(rivals.map(({ value: known }) => (isAmount(known) ? known.amount : 0)))
  const [rival] = rivals
  // Where there are several, none of them is the one.
  return rival && amounts.size === 1 ? { verdict: 'contradicted', evidence: inWords(rival) } : UNBACKED
}

function backName({ name, kind, tail }: Name, ground: Ground): Backing {
  const wanted = squashed(kind === 'url' ? name.replace(/\/$/, '') : name)
  const source = ground.sources.find((each) => occurs(wanted, squashedText(each), tail === true))
  return source ? { verdict: 'backed', evidence: source.name } : UNBACKED
}

function backFile({ name }: Name, ground: Ground, files: ClaimFiles | undefined): Backing {
  const change = files?.changes.find(({ path }) => isPath(path, name))
  if (change?.change === 'deleted')
    return { verdict: 'contradicted', evidence: `${change.path} is no longer in the workspace` }
  if (change) return { verdict: 'backed', evidence: `the workspace: ${change.path} was ${change.change}` }
  if (files?.present.some((path) => isPath(path, name)))
    return { verdict: 'backed', evidence: 'it is in the workspace' }
  if (files?.missing.includes(name)) return { verdict: 'contradicted', evidence: 'it is not in the workspace' }
  return backName({ kind: 'file', name: name.replace(/^\.\//, '') }, ground)
}

export function isPath(path: string, name: string): boolean {
  const bare = name.replace(/^\.?\//, '')
  return path === bare || path.endsWith(`/${bare}`) || bare.endsWith(`/${path}`)
}

/** As a word of its own, or at the end of one. */
function occurs(wanted: string, text: string, tail: boolean): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + wanted.length] ?? ' '
    if ((tail || !/[\p{L}\p{N}]/u.test(before)) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

/** Quotation marks, dashes and white space are written in many ways. */
function squashed(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/\\n|\s+/g, ' ')
}

const squashedText = once(({ text }: Source) => squashed(text))

/** The words around a value, in its line. */
export function wordsAround(text: string, { start, end }: PlacedValue): string[] {
  const from = text.lastIndexOf('\n', start) + 1
  const to = text.indexOf('\n', end)
  return (
    asText(text.slice(from, to < 0 ? text.length : to))
      .toLowerCase()
      .match(/\p{L}{2,}/gu)
      ?.slice(0, 60) ?? []
  )
}
