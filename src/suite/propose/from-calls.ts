// What good runs have in common in what they called.
import { canonicalJson } from '../../base/json/canonical-json.js'
import { isRecord } from '../../base/record.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { ToolCall } from '../../model/message.js'

/** What the good runs of the whole suite show about the agent's tools. */
export interface Tools {
  names: readonly string[]
  /**
   * Whether good runs of one case call it alike: then a call more, less or different means something. Where they do not, it
   * is the agent's own business, as looking something up is. No list of such tools is needed: the runs show it.
   */
  isBound(name: string): boolean
}

export function callCandidates(runs: ReadonlyArray<readonly ToolCall[]>, tools: Tools): AssertionSpec[] {
  const [first = []] = runs
  const called = [...new Set(first.map(({ name }) => name))]
  const specs: AssertionSpec[] = []
  for (const name of called) specs.push(...aboutTool(name, runs))
  const unwanted = tools.names.filter((name) => runs.every((calls) => !calls.some((call) => call.name === name)))
  for (const name of unwanted) specs.push({ type: 'tool_not_called', name })
  const steps = first.filter(({ name }) => tools.isBound(name)).map(({ name }) => name)
  if (new Set(steps).size > 1) specs.push({ type: 'tool_sequence', tools: steps, match: 'ordered' })
  if (first.length === 0 && tools.names.length > 0 && runs.every((calls) => calls.length === 0))
    specs.push({ type: 'tool_sequence', tools: [], match: 'strict' })
  return specs
}

function aboutTool(name: string, runs: ReadonlyArray<readonly ToolCall[]>): AssertionSpec[] {
  const all = runs.map((calls) => calls.filter((call) => call.name === name))
  // What failed has changed nothing: a run that tried again is as good as one that did not need to.
  const calls = all.map((list) => list.filter(({ error }) => error === undefined))
  if (calls.some((list) => list.length === 0)) return []
  const specs: AssertionSpec[] = [{ type: 'tool_called', name }]
  const ok = calls.every((list) => list.every(({ result }) => result !== undefined)) ? { outcome: 'ok' } : {}
  const kinds = calls.map((list) => counted(list))
  const [own = new Map<string, Counted>()] = kinds
  for (const [key, { args, times }] of own) {
    if (!isRecord(args) || !kinds.every((other) => other.get(key)?.times === times)) continue
    specs.push({ type: 'tool_called', name, arguments: args, arguments_match: 'exact', ...ok, times })
  }
  const [first = []] = calls
  if (calls.every((list) => list.length === first.length))
    specs.push(...commonArguments(name, calls), { type: 'tool_called', name, ...ok, times: first.length })
  if (all.every((list, index) => list.length === calls[index]?.length))
    specs.push({ type: 'tool_not_called', name, outcome: 'error' })
  return specs
}

interface Counted {
  args: unknown
  times: number
}

function counted(calls: readonly ToolCall[]): Map<string, Counted> {
  const kinds = new Map<string, Counted>()
  for (const { args } of calls) {
    const key = canonicalJson(args ?? {})
    kinds.set(key, { args: args ?? {}, times: (kinds.get(key)?.times ?? 0) + 1 })
  }
  return kinds
}

/** Where calls differ in some arguments: those in which they do not, call by call. */
function commonArguments(name: string, runs: ReadonlyArray<readonly ToolCall[]>): AssertionSpec[] {
  const [first = []] = runs
  return first.flatMap((call, index) => {
    if (!isRecord(call.args)) return []
    const common = Object.entries(call.args).filter(([key, value]) =>
      runs.every((calls) => {
        const args = calls[index]?.args
        return isRecord(args) && canonicalJson(args[key]) === canonicalJson(value)
      }),
    )
    if (common.length === 0 || common.length === Object.keys(call.args).length) return []
    return [{ type: 'tool_called', name, arguments: Object.fromEntries(common) }]
  })
}

/** Learns from one case after another which tools good runs call alike. */
export class ToolHabits {
  readonly #seen = new Map<string, { alike: number; different: number; example: unknown }>()

  get examples(): ReadonlyMap<string, unknown> {
    return new Map([...this.#seen].map(([name, { example }]) => [name, example]))
  }

  /** The calls of the good runs of one case. */
  add(runs: ReadonlyArray<readonly ToolCall[]>): void {
    const names = new Set(runs.flatMap((calls) => calls.map(({ name }) => name)))
    for (const name of names) {
      const kinds = runs.map((calls) =>
        canonicalJson(
          [...counted(calls.filter((call) => call.name === name && call.error === undefined))].toSorted(byKey),
        ),
      )
      const seen = this.#seen.get(name) ?? { alike: 0, different: 0, example: undefined }
      if (runs.length > 1) seen[kinds.every((kind) => kind === kinds[0]) ? 'alike' : 'different'] += 1
      seen.example ??= runs.flat().find((call) => call.name === name)?.args ?? {}
      if (this.#seen.size < MOST_TOOLS || this.#seen.has(name)) this.#seen.set(name, seen)
    }
  }

  /** Without a case that ran twice nothing is known, and every call counts. */
  tools(): Tools {
    const hasShown = [...this.#seen.values()].some(({ alike, different }) => alike + different > 0)
    return {
      names: [...this.#seen.keys()].toSorted(),
      isBound: (name) => {
        const { alike = 0, different = 0 } = this.#seen.get(name) ?? {}
        return alike > different || (!hasShown && different === 0)
      },
    }
  }
}

const MOST_TOOLS = 500

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0
}
