// How far the error of judges moves the difference between two runs: over the cases that both have.
import { caseTitle } from '../../../model/run-key.js'
import { correctionOf, type Correction } from '../../fold/judged/correct-difference.js'
import { correctedGroups } from '../../fold/judged/corrected-side.js'
import { JudgedFold, type JudgedSide, type JudgedSource } from '../../fold/judged/judged-fold.js'
import type { Recording } from '../recording.js'
import type { Pairing } from './pair-up.js'
import type { RunRecord } from './records.js'

export interface JudgedSources {
  before?: JudgedSource | undefined
  after?: JudgedSource | undefined
}

export interface Corrections {
  whole?: Correction | undefined
  /** Those of the variants that both runs have. */
  byVariant: ReadonlyMap<string, Correction>
}

interface ReadRun {
  recording: Recording
  record: RunRecord
  source: JudgedSource | undefined
}

/** The files are read once more only if there is something to correct. */
export async function correctionsBetween(
  before: ReadRun,
  after: ReadRun,
  { pairs }: Pairing,
  variants: readonly string[],
): Promise<Corrections> {
  if (![before, after].some(({ record }) => isCorrected(record.judgements))) return { byVariant: new Map() }
  const old = await sidesOf(before, new Set(pairs.map(({ id, was }) => was ?? id)))
  const fresh = await sidesOf(after, new Set(pairs.map(({ id }) => id)))
  return {
    whole: correctionOf(old.whole, fresh.whole),
    byVariant: new Map(
      variants.flatMap((name) => {
        const found = correctionOf(old.byVariant.get(name), fresh.byVariant.get(name))
        return found ? [[name, found]] : []
      }),
    ),
  }
}

function isCorrected(side: JudgedSide): boolean {
  return side.all.count > 0 && correctedGroups(side).length > 0
}

interface Sides {
  whole: JudgedFold
  byVariant: Map<string, JudgedFold>
}

async function sidesOf({ recording, source }: ReadRun, titles: ReadonlySet<string>): Promise<Sides> {
  const sides: Sides = { whole: new JudgedFold(source), byVariant: new Map() }
  for await (const event of recording.events()) {
    if (event.type !== 'result' || !titles.has(caseTitle(event))) continue
    sides.whole.add(event)
    if (event.variant === undefined) continue
    let own = sides.byVariant.get(event.variant)
    if (!own) sides.byVariant.set(event.variant, (own = new JudgedFold(source)))
    own.add(event)
  }
  return sides
}
