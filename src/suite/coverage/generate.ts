// Cases aimed at holes: what a generator is told about them, and what becomes of its answer.
import { isRecord } from '../../base/record.js'
import { runKey, type RunKey } from '../../model/run-key.js'
import type { KindName } from './kind.js'
import type { CoverageReport, GeneratedCoverage, Hole } from './report.js'

export interface AimedCase {
  id: string
  hole: Hole
  /** As the generator wrote it, with its id and what it aims at. */
  written: Record<string, unknown>
}

/** Holes that follow from another may close with it: they are left for the next time. */
export function holesToAimAt({ holes }: CoverageReport): Hole[] {
  return holes.filter(({ aim, follows }) => aim !== undefined && !follows)
}

/** For `generateCases`, beside what it says about the agent. */
export function generatorParams(holes: readonly Hole[]): Record<string, unknown> {
  return {
    count: holes.length,
    focus: 'coverage',
    holes: holes.map(({ aim }, index) => ({ hole: index + 1, wanted: aim?.wanted, ...aim?.about })),
  }
}

/** A case belongs to the hole whose number it has in its metadata, else to the one in its place. */
export function aimedCases(values: readonly unknown[], holes: readonly Hole[], earlier: number): AimedCase[] {
  const free = new Set(holes.keys())
  return values.flatMap((value, index) => {
    if (!isRecord(value)) return []
    const metadata = isRecord(value['metadata']) ? value['metadata'] : {}
    const named = typeof metadata['hole'] === 'number' ? metadata['hole'] - 1 : index
    const hole = holes[named]
    if (!hole || !free.delete(named)) return []
    const id = `hole-${String(earlier + named + 1).padStart(3, '0')}`
    const aimsAt = `${hole.kind}: ${hole.name}`
    return [{ id, hole, written: { ...value, id, metadata: { ...metadata, aims_at: aimsAt } } }]
  })
}

export interface AimedOutcome {
  status: string
  reached: ReadonlyMap<KindName, ReadonlySet<string>>
}

export function generatedCoverage(
  file: string,
  cases: readonly AimedCase[],
  outcomes: ReadonlyMap<RunKey, AimedOutcome>,
  holes: number,
): GeneratedCoverage {
  const rows = cases.map(({ id, hole: { kind, name } }) => {
    const outcome = outcomes.get(runKey({ id, run: 1 }))
    const reached = outcome?.reached.get(kind)?.has(name) ?? false
    return { id, kind, name, status: outcome?.status ?? 'not run', reached }
  })
  return {
    file,
    aimed: rows.length,
    reached: rows.filter(({ reached }) => reached).length,
    cases: rows,
    not_aimed: holes - rows.length,
  }
}
