// The claims of one answer, each with its verdict.
import { actionsIn } from './actions.js'
import { numberWordsIn, sameAmount } from './amounts.js'
import { calculationsIn } from './arithmetic.js'
import { backAction } from './back-action.js'
import { backValue, type Backing } from './back-value.js'
import { aroundIn } from './belonging.js'
import type { Claim, ClaimFiles } from './claim.js'
import type { Ground } from './ground.js'
import { countingIn } from './not-claims.js'
import type { Amount, Place, PlacedValue } from './value.js'
import { valuesIn } from './values.js'

export function findClaims(text: string, ground: Ground, files?: ClaimFiles): Claim[] {
  const { language } = ground
  const values = valuesIn(text, language)
  const isCounting = countingIn(text, language)
  const around = aroundIn(text, values)
  const claimed = values.filter((value) => !isCounting(value))
  const verdicts = new Map<PlacedValue, Backing>()
  for (const value of claimed) verdicts.set(value, backValue(value, around(value), ground, files))
  backCalculated(claimed.filter(isAmount), values, verdicts, text, ground)
  const actions = actionsIn(text, values, language, (verb) => ground.isAsked(verb)).map((action) =>
    claim('action', action, text, backAction(action, ground, files)),
  )
  return [...actions, ...[...verdicts].map(([value, backing]) => claim(value.kind, value, text, backing))].toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  )
}

/** What was calculated may be used again, and to calculate more. */
function backCalculated(
  claimed: readonly PlacedAmount[],
  values: readonly PlacedValue[],
  verdicts: Map<PlacedValue, Backing>,
  text: string,
  ground: Ground,
): void {
  const { language } = ground
  const words = numberWordsIn(text, language)
  const amounts = [...claimed, ...words].toSorted((a, b) => a.start - b.start)
  const inWords = new Set(words)
  const isBacked = (each: PlacedAmount) => verdicts.get(each)?.verdict === 'backed' || inWords.has(each)
  const ids = new Set(values.flatMap((value) => (value.kind === 'id' ? [value.name.toLowerCase()] : [])))
  const calculation = calculationsIn({ text, ground, amounts, isBacked, ids })
  const shown: PlacedAmount[] = []
  for (const value of claimed) {
    if (isBacked(value)) continue
    const isAgain = shown.some((each) => sameAmount(value, each))
    const how = isAgain ? 'as calculated before it' : calculation(value)
    if (how === undefined) continue
    verdicts.set(value, { verdict: 'backed', evidence: how })
    if (!isAgain) shown.push(value)
  }
  // It may be said again in a later answer.
  if (shown.length > 0)
    ground.give(
      'an earlier answer, which calculated it',
      shown.map(({ start, end }) => text.slice(start, end)),
    )
}

function claim(kind: Claim['kind'], { start, end }: Place, text: string, { verdict, evidence }: Backing): Claim {
  return { kind, text: text.slice(start, end), start, end, verdict, ...(evidence !== undefined && { evidence }) }
}

type PlacedAmount = Amount & Place

function isAmount(value: PlacedValue): value is PlacedAmount {
  return value.kind === 'number' || value.kind === 'money'
}
