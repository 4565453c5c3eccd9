// Programs without a span around everything leave a trace for each call of a model. One that goes on where another ended is the same exchange.
import type { Said } from '../messages.js'

interface ModelCall {
  kind: string
  span: { start: bigint }
  input: Said[]
  output: Said[]
}

/** Traces whose first call says again what another trace said, its answer included, and nothing new of the user's, are joined with it. */
export function joinedTraces<C extends ModelCall>(groups: ReadonlyMap<string, C[]>): Map<string, C[]> {
  const inTime = [...groups]
    .map(([key, calls]) => ({ key, calls: calls.toSorted(byStart), into: key }))
    .toSorted((a, b) => byStart(a.calls[0], b.calls[0]))
  // What a trace ends with, itself or by way of one that it was joined with; by what the user asked, so that many traces stay quick.
  const ends = new Map<string, Map<string, C>>()
  for (const trace of inTime) {
    const [first, last] = [trace.calls.find(isSaying), trace.calls.findLast(isSaying)]
    if (!first || !last) continue
    trace.into = [...(ends.get(questionOf(first)) ?? [])].find(([, end]) => goesOn(end, first))?.[0] ?? trace.key
    ends.set(questionOf(last), (ends.get(questionOf(last)) ?? new Map<string, C>()).set(trace.into, last))
  }
  const into = new Map(inTime.map((trace) => [trace.key, trace.into]))
  const joined = new Map<string, C[]>()
  for (const [key, calls] of groups) {
    const target = into.get(key) ?? key
    joined.set(target, [...(joined.get(target) ?? []), ...calls])
  }
  return joined
}

function byStart(a: ModelCall | undefined, b: ModelCall | undefined): number {
  const [one, other] = [a?.span.start ?? 0n, b?.span.start ?? 0n]
  return one < other ? -1 : one > other ? 1 : 0
}

function isSaying({ kind, input }: ModelCall): boolean {
  return kind === 'model' && input.length > 0
}

function questionOf({ input }: ModelCall): string {
  return input.find(({ role }) => role === 'user')?.text ?? ''
}

function goesOn(earlier: ModelCall, later: ModelCall): boolean {
  if (earlier.output.length === 0) return false
  const told = [...earlier.input, ...earlier.output]
  const rest = later.input.slice(told.length)
  return (
    rest.length > 0 &&
    rest.every(({ role }) => role !== 'user') &&
    told.every((one, index) => isSame(one, later.input[index]))
  )
}

function isSame(one: Said, other: Said | undefined): boolean {
  return (
    one.role === other?.role &&
    one.text === other.text &&
    one.calls.map(({ name }) => name).join() === other.calls.map(({ name }) => name).join()
  )
}
