// Folds results into what they reached, one after another: memory grows with the surface, not with the runs.
import type { ResultEvent, StartEvent } from '../../model/event.js'
import type { KindName } from './kind.js'
import { SURFACE_KINDS } from './registry.js'
import { hasOutcome, seenIn } from './seen.js'
import { toolFinder, type Surface } from './surface.js'

export interface Reach {
  /** How often. */
  times: number
  /** In how many runs of cases, and how many of those passed. */
  runs: number
  passed: number
  /** The first cases that did. */
  cases: string[]
  more_cases?: true
}

const MOST_CASES = 20
/** Names that no surface has come from the agent: there may be any number of them. */
const MOST_NAMES = 2_000

export class ReachFold {
  readonly #surface: Surface
  readonly #findTool: ReturnType<typeof toolFinder>
  readonly #reached = new Map<KindName, Map<string, Reach>>(SURFACE_KINDS.map(({ name }) => [name, new Map()]))
  readonly #offered = new Set<string>()
  runs = 0
  /** Results that do not say which tools were called, or not all of them. */
  unreported = 0
  /** Results whose session or steps were too long to be kept whole. */
  cut = 0
  /** Results with calls that do not say what came of them. */
  openEnded = 0
  leftOut = 0
  reportsRefusals = false
  isOrchestrator = false

  constructor(surface: Surface) {
    this.#surface = surface
    this.#findTool = toolFinder(surface.tools ?? [])
  }

  /** Returns the names it reached, by kind. */
  add(start: StartEvent, result: ResultEvent): Map<KindName, Set<string>> {
    const seen = seenIn(start, result, this.#findTool)
    const found = new Map<KindName, Set<string>>()
    if (result.status === 'skipped' && result.skip) return found
    this.runs++
    this.#note(result)
    if (seen.calls.some(({ call }) => !hasOutcome(call))) this.openEnded++
    for (const { kind, tools = [] } of seen.steps)
      if (kind === 'model' && this.#offered.size < MOST_NAMES) for (const name of tools) this.#offered.add(name)
    for (const kind of SURFACE_KINDS) {
      const names = new Set<string>()
      for (const name of kind.reached(seen, this.#surface)) {
        this.#count(kind.name, name, result, !names.has(name))
        names.add(name)
      }
      if (names.size > 0) found.set(kind.name, names)
    }
    return found
  }

  of(kind: KindName): ReadonlyMap<string, Reach> {
    return this.#reached.get(kind) ?? new Map()
  }

  /** Tools that models were offered in the runs, however the agent came by them. */
  get offered(): readonly string[] {
    return [...this.#offered]
  }

  #note({ tool_evidence, turns = [], session, refusal }: ResultEvent): void {
    const evidence = [tool_evidence, ...turns.map((turn) => turn.tool_evidence)]
    if (evidence.some((each) => each !== undefined) || (session?.unreported_hats?.length ?? 0) > 0) this.unreported++
    if (session) this.isOrchestrator = true
    if ((session?.events_left_out ?? 0) + (session?.iterations_left_out ?? 0) > 0) this.cut++
    if (refusal !== undefined || turns.some((turn) => turn.refusal !== undefined)) this.reportsRefusals = true
  }

  #count(kind: KindName, name: string, { id, status }: ResultEvent, isFirst: boolean): void {
    const places = this.#reached.get(kind)
    if (!places) return
    let reach = places.get(name)
    if (!reach) {
      if (places.size >= MOST_NAMES) return void this.leftOut++
      places.set(name, (reach = { times: 0, runs: 0, passed: 0, cases: [] }))
    }
    reach.times++
    if (!isFirst) return
    reach.runs++
    if (status === 'passed') reach.passed++
    if (reach.cases.includes(id)) return
    if (reach.cases.length < MOST_CASES) reach.cases.push(id)
    else reach.more_cases = true
  }
}
