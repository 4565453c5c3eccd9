// The claims of one answer, each with its verdict.
import { actionsIn } from './actions.js'
import { calculated } from './arithmetic.js'
import { backAction } from './back-action.js'
import { backValue, wordsAround, type Backing } from './back-value.js'
import type { Claim, ClaimFiles } from './claim.js'
import type { Ground } from './ground.js'
import { isCounting } from './not-claims.js'
import { valuesIn, type Amount, type Place, type PlacedValue } from './values.js'

export function findClaims(text: string, ground: Ground, files?: ClaimFiles): Claim[] {
  const { language } = ground
  const values = valuesIn(text, language)
  const claimed = values.filter((value) => !isCounting(value, text, language))
  const verdicts = new Map<PlacedValue, Backing>()
  for (const value of claimed) verdicts.set(value, backValue(value, wordsAround(text, value), ground, files))
  const amounts = values.filter(isAmount)
  // What was calculated may be used to calculate more.
  for (const value of claimed) {
    if (!isAmount(value) || verdicts.get(value)?.verdict === 'backed') continue
    const isBacked = (each: PlacedValue) => verdicts.get(each)?.verdict === 'backed' || isCounting(each, text, language)
    const how = calculated(value, { text, ground, amounts, isBacked })
    if (how !== undefined) verdicts.set(value, { verdict: 'backed', evidence: how })
  }
  const actions = actionsIn(text, values, language).map((action) =>
    claim('action', action, text, backAction(action, ground, files)),
  )
  return [...actions, ...[...verdicts].map(([value, backing]) => claim(value.kind, value, text, backing))].toSorted(
    (a, b) => a.start - b.start || b.end - a.end,
  )
}

function claim(kind: Claim['kind'], { start, end }: Place, text: string, { verdict, evidence }: Backing): Claim {
  return { kind, text: text.slice(start, end), start, end, verdict, ...(evidence !== undefined && { evidence }) }
}

function isAmount(value: PlacedValue): value is Amount & Place {
  return value.kind === 'number' || value.kind === 'money'
}
