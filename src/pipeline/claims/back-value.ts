// Whether something shows a value that an answer names.
import { sameAmount } from './amounts.js'
import type { ClaimFiles, ClaimVerdict } from './claim.js'
import { ownOf, type Around } from './belonging.js'
import { Candidates } from './candidates.js'
import { sameDay } from './dates.js'
import type { Ground } from './ground.js'
import type { Known, Source } from './known.js'
import { relativeDays } from './relative-days.js'
import { once } from './text.js'
import { TextIndex } from './text-index.js'
import type { Amount, Day, Name, Value } from './value.js'

export interface Backing {
  verdict: ClaimVerdict
  evidence?: string
}

const UNBACKED: Backing = { verdict: 'unbacked' }

export function backValue(value: Value, around: Around, ground: Ground, files?: ClaimFiles): Backing {
  switch (value.kind) {
    case 'number':
    case 'money':
      return ofKnown(candidatesFor(value, ground), around, ground) ?? otherwise(value, around.words, ground)
    case 'date':
      return (
        ofKnown(candidatesFor(value, ground), around, ground) ??
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

function ofKnown(candidates: Candidates, around: Around, ground: Ground): Backing | undefined {
  const fitting = ownOf(candidates, around, ground)
  const [other] = candidates.all
  if (!fitting)
    return (
      other && { verdict: 'contradicted', evidence: `of another one than ${around.ids.join(', ')}: ${inWords(other)}` }
    )
  const near = fitting.slice(0, 200)
  const best = near.find(({ labels }) => labels.some((label) => around.words.includes(label))) ?? near[0]
  return best && { verdict: 'backed', evidence: inWords(best) }
}

function inWords({ source, shown }: Known): string {
  return `${source.name}: ${shown}`
}

function isAmount(value: Value): value is Amount {
  return value.kind === 'number' || value.kind === 'money'
}

/** What may be the same is looked for once for each value, however often it is named. */
function candidatesFor(value: Amount | Day, ground: Ground): Candidates {
  const { known } = candidatesOf(ground)
  const { kind, ...rest } = value
  const key = JSON.stringify([kind, { ...rest, start: undefined, end: undefined }])
  const found = known.get(key) ?? new Candidates(kind === 'date' ? sameDays(value, ground) : sameAmounts(value, ground))
  known.set(key, found)
  return found
}

const cached = once<Ground, { size: number; known: Map<string, Candidates> }>(() => ({ size: 0, known: new Map() }))

/** Not for longer than nothing is added. */
function candidatesOf(ground: Ground): { known: Map<string, Candidates> } {
  const cache = cached(ground)
  if (cache.size !== ground.sources.length) cache.known.clear()
  cache.size = ground.sources.length
  return cache
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
  let rival: Known | undefined
  for (const label of labels)
    for (const known of ground.index.labelled(label)) {
      if (!isAmount(known.value) || (known.value.unit && known.value.unit.dimension !== value.unit?.dimension)) continue
      // Where there are several, none of them is the one.
      if (rival && isAmount(rival.value) && rival.value.amount !== known.value.amount) return UNBACKED
      rival ??= known
    }
  return rival ? { verdict: 'contradicted', evidence: inWords(rival) } : UNBACKED
}

function backName({ name, kind, tail }: Name, ground: Ground): Backing {
  const wanted = kind === 'url' ? name.replace(/\/$/, '') : name
  const source = ground.sources.find((each) => textOf(each).has(wanted, tail))
  return source ? { verdict: 'backed', evidence: source.name } : UNBACKED
}

const textOf = once(({ text }: Source) => new TextIndex(text))

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
