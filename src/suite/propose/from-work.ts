// What good runs have in common in what they left behind, published, took and cost.
import { isEqual } from '../../base/equal.js'
import { jsonChanges, pathText } from '../../base/json/json-changes.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { Conduct } from '../conduct.js'
import { FELT_MS } from '../mutate/operators/limits.js'

export function workCandidates(goods: readonly Conduct[]): AssertionSpec[] {
  return [...fileCandidates(goods), ...stateCandidates(goods), ...eventCandidates(goods), ...limitCandidates(goods)]
}

function fileCandidates(goods: readonly Conduct[]): AssertionSpec[] {
  const [first] = goods
  const made = first?.changes?.filter(({ change }) => change !== 'deleted').map(({ path }) => path) ?? []
  const untouched = Object.keys(first?.files ?? {}).filter((path) => !made.includes(path))
  return [
    ...made.flatMap((path): AssertionSpec[] => {
      const lines = goods.map(({ files }) => (files?.[path] ?? '').split('\n').map((line) => line.trim()))
      const shared = (lines[0] ?? []).filter((line) => line.length > 3 && lines.every((own) => own.includes(line)))
      const longest = shared.toSorted((left, right) => right.length - left.length)[0]
      const exists: AssertionSpec = { type: 'file_exists', path }
      return longest === undefined ? [exists] : [exists, { type: 'file_contains', path, pattern: quoted(longest) }]
    }),
    ...untouched.flatMap((path): AssertionSpec[] => {
      const text = first?.files?.[path]
      if (typeof text !== 'string' || text === '' || text.length > 500) return []
      return [{ type: 'file_contains', path, pattern: `^${quoted(text)}$` }]
    }),
  ]
}

const MOST_PATHS = 20

/** Exactly what changed; with its values, if they are the same in every run. */
function stateCandidates(goods: readonly Conduct[]): AssertionSpec[] {
  const runs = goods.map(({ state }) => state && jsonChanges(state.before, state.after))
  const [first] = runs
  if (!first || first.length > MOST_PATHS) return []
  const paths = first.map(({ segments }) => pathText(segments))
  const exact: AssertionSpec = { type: 'state_changed', paths }
  if (first.length === 0 || first.some(({ change }) => change === 'removed')) return [exact]
  const values = Object.fromEntries(first.map(({ after }, at) => [paths[at] ?? '', after]))
  const isSame = runs.every((run) => run && isEqual(run, first))
  return isSame ? [{ type: 'state_changed', paths: values }] : [exact]
}

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

function eventCandidates(goods: readonly Conduct[]): AssertionSpec[] {
  const runs = goods.map(({ replies }) =>
    replies.flatMap(({ session }) => session?.events.map(({ topic }) => topic) ?? []),
  )
  const [first = []] = runs
  if (first.length === 0) return []
  const topics = [...new Set(first)]
  const count = (run: readonly string[], topic: string): number => run.filter((each) => each === topic).length
  const stable = topics.filter((topic) => runs.every((run) => count(run, topic) === count(first, topic)))
  return [
    ...(topics.length > 1 ? [{ type: 'event_sequence', topics }] : []),
    ...stable.map((topic): AssertionSpec => ({
      type: 'event_count',
      topic,
      min: count(first, topic),
      max: count(first, topic),
    })),
  ]
}

/** Three times the most that a good run took: slower than that is more than chance. */
function limitCandidates(goods: readonly Conduct[]): AssertionSpec[] {
  const sums = (of: (reply: Conduct['replies'][number]) => number | undefined): number[] =>
    goods.map(({ replies }) => replies.reduce((sum, reply) => sum + (of(reply) ?? 0), 0))
  const [slowest, dearest] = [
    Math.max(...sums((reply) => reply.duration_ms)),
    Math.max(...sums((reply) => reply.cost_dollars)),
  ]
  return [
    ...(slowest >= FELT_MS ? [{ type: 'latency', max_ms: roundedUp(slowest * 3) }] : []),
    ...(dearest > 0 ? [{ type: 'cost', max_dollars: roundedUp(dearest * 3) }] : []),
  ]
}

/** To one digit that counts. */
function roundedUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value))
  return Number((Math.ceil(value / size) * size).toPrecision(2))
}
