// What `viva coverage` found, as data: by kind what was reached and by whom, and what never was.
import type { Facts, KindName, Place } from './kind.js'
import { SURFACE_KINDS } from './registry.js'
import type { Reach, ReachFold } from './reach.js'
import { addTools, toolFinder, type Surface } from './surface.js'

export interface CoverageReport {
  type: 'coverage'
  format: 1
  agent_id: string
  events: string[]
  /** Runs of cases that were looked at. */
  runs: number
  /** Where the surface comes from; empty: only what the runs did is known. */
  surface: string[]
  /** Nothing says what the agent has. */
  observed_only: boolean
  /** What would have to be known for the holes to be all of them, and for sure. */
  notes: string[]
  /** Servers whose tools are not known: the percentage would be too high. */
  unlisted: string[]
  /** Nothing says which tools the agent has, and it has some, or does not report its calls. */
  tools_unknown?: true
  reached: number
  total: number
  /** Absent: nothing says what the agent has. */
  percent?: number
  kinds: KindCoverage[]
  /** The most useful first. */
  holes: Hole[]
  generated?: GeneratedCoverage
}

export interface KindCoverage {
  kind: KindName
  title: string
  /** Absent: observed only. */
  total?: number
  reached: number
  places: Array<{ name: string } & Reach>
  /** Seen in runs, on no surface. */
  undeclared: Array<{ name: string } & Reach>
}

export interface Hole extends Pick<Place, 'name' | 'within' | 'hint' | 'aim'> {
  kind: KindName
  never: string
  /** The place that has to be reached first is a hole, too: this one follows from it. */
  follows?: true
}

export interface GeneratedCoverage {
  file: string
  aimed: number
  reached: number
  cases: Array<{ id: string; kind: KindName; name: string; status: string; reached: boolean }>
  /** Holes that no case can be aimed at, or that the generator wrote none for. */
  not_aimed: number
}

export interface ReportInit {
  agent_id: string
  events: string[]
  surface: Surface
  fold: ReachFold
}

export function coverageReport({ agent_id, events, surface: given, fold }: ReportInit): CoverageReport {
  const surface = withOffered(given, fold.offered)
  const { reportsRefusals, isOrchestrator } = fold
  const facts: Facts = { reportsRefusals, isOrchestrator }
  const kinds: KindCoverage[] = []
  const holes: Hole[] = []
  const missing = new Set<string>()
  for (const kind of SURFACE_KINDS) {
    const places = kind.places(surface, facts)
    const reach = fold.of(kind.name)
    if (places === undefined && reach.size === 0) continue
    if (places?.length === 0 && reach.size === 0) continue
    const names = new Set(places?.map(({ name }) => name))
    const open = (places ?? []).filter(({ name }) => !reach.has(name))
    for (const { name } of open) missing.add(`${kind.name} ${name}`)
    holes.push(...open.map((place): Hole => ({ kind: kind.name, never: kind.never, ...place })))
    const rows = Array.from(reach, ([name, counts]) => ({ name, ...counts }))
    kinds.push({
      kind: kind.name,
      title: kind.title,
      ...(places && { total: names.size }),
      reached: rows.filter(({ name }) => !places || names.has(name)).length,
      places: rows.filter(({ name }) => !places || names.has(name)),
      undeclared: places ? rows.filter(({ name }) => !names.has(name)) : [],
    })
  }
  for (const hole of holes)
    if (hole.within && missing.has(`${hole.within.kind} ${hole.within.name}`)) hole.follows = true
  const declared = kinds.filter(({ total }) => total !== undefined)
  const total = declared.reduce((sum, kind) => sum + (kind.total ?? 0), 0)
  const reached = declared.reduce((sum, kind) => sum + kind.reached, 0)
  const observed_only = surface.from.length === 0
  return {
    type: 'coverage',
    format: 1,
    agent_id,
    events,
    runs: fold.runs,
    surface: surface.from,
    observed_only,
    notes: [...surface.notes, ...doubts(fold)],
    unlisted: surface.unlisted,
    ...(surface.tools === undefined && (fold.of('tools').size > 0 || fold.unreported > 0) && { tools_unknown: true }),
    reached,
    total,
    ...(!observed_only && total > 0 && { percent: Math.floor((1000 * reached) / total) / 10 }),
    kinds,
    holes,
  }
}

/** With the tools that only the runs show, and without servers that they have shown. */
function withOffered(surface: Surface, offered: readonly string[]): Surface {
  if (offered.length === 0) return surface
  const copy: Surface = { ...surface, from: [...surface.from], ...(surface.tools && { tools: [...surface.tools] }) }
  const isOffered = (server: string): boolean =>
    offered.some((name) => name.startsWith(`${server.replaceAll('.', '_')}__`))
  copy.unlisted = surface.unlisted.filter((server) => !isOffered(server))
  // Servers list their tools by shorter names than models are offered.
  const findTool = toolFinder(surface.tools ?? [])
  const added = offered.filter((name) => findTool(name) === undefined)
  if (added.length === 0) return copy
  addTools(
    copy,
    added.map((name) => ({ name })),
  )
  copy.from.push('the tools that models were offered in the runs')
  return copy
}

/** Why a hole may be none. */
function doubts({ unreported, openEnded, cut, leftOut }: ReachFold): string[] {
  const runs = (count: number): string => (count === 1 ? '1 run does' : `${count} runs do`)
  return [
    ...(unreported > 0
      ? [`${runs(unreported)} not report every tool call: a tool listed as never called may have been called there`]
      : []),
    ...(openEnded > 0
      ? [`${runs(openEnded)} not say what came of every tool call: such calls count as if they had succeeded`]
      : []),
    ...(cut > 0 ? [`${cut} long sessions were recorded in part: what is listed may have happened in the rest`] : []),
    ...(leftOut > 0 ? [`${leftOut} names that no surface has are not listed`] : []),
  ]
}
