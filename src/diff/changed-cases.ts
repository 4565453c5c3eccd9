// The cases of the right side judge both sides. Whether they ask and check all that those of the left side did.
import { plural } from '../base/format.js'
import { UserError } from '../errors.js'
import { changeOfJudged } from '../model/fingerprint.js'
import { readCasePrints, type PrintedCase } from '../run/case-prints.js'
import type { Settings } from '../run/settings.js'

/** In words, one for each case that is gone, asks something else, or checks less; empty if there is none. */
export async function changedCases(left: Settings, right: Settings, warn: (text: string) => void): Promise<string[]> {
  if (right.input.kind !== 'file') return []
  const before = await readCasePrints(left).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    // A suite that is new has nothing to lose.
    if (error.code !== 'FILE_NOT_FOUND')
      warn(`the cases of the left side cannot be read, so it is unknown whether they checked more: ${error.reason}`)
    return new Map<never, PrintedCase>()
  })
  if (before.size === 0) return []
  const after = await readCasePrints(right)
  const byQuestion = new Map([...after.values()].map((print) => [print.asked, print]))
  return [...before].flatMap(([key, was]) => {
    const same = after.get(key)
    const now = same?.asked === was.asked ? same : byQuestion.get(was.asked)
    if (!now) return `${was.id} (${same ? 'asks something else' : 'gone'})`
    return changeOfJudged(was.judged, now.judged) === 'changed' ? `${was.id} (assertions removed or edited)` : []
  })
}

const SHOWN = 5

export function describeChanged(changed: readonly string[], left: string): string {
  const shown = changed.slice(0, SHOWN).join(', ')
  return `${plural(changed.length, 'case')} of ${left} changed: ${shown}${changed.length > SHOWN ? ', …' : ''}`
}
