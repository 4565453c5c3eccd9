// `span`, `span_sequence`: what happened inside the agent, step by step, and how long it took.
import * as v from 'valibot'
import { defined } from '../../../base/defined.js'
import { plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import type { Evidence } from '../../../model/evidence.js'
import { SPAN_KINDS } from '../../../model/result-schema.js'
import { agentSpans, type Span } from '../../../model/span.js'
import { boundEntries, describeBounds, isWithin, requireBounds, type Bounds } from '../bounds.js'
import { closedObject } from '../closed-object.js'
import { defineAssertion, notAvailable, SpecError, type Check, type Verdict } from '../define-assertion.js'
import { inOrder } from '../in-order.js'
import { requireMatcher } from '../matchers/compile.js'
import { matcherField } from '../matchers/schema.js'

const name = v.pipe(v.string(), v.nonEmpty())
/** More of them would bury the verdict. */
const MAX_SHOWN = 50

export const span = defineAssertion({
  type: 'span',
  summary:
    'A step of the agent happened: by name (`*` stands for any part), kind, attributes (matchers), status, the step it is under; this many times, each within max_ms',
  example: { type: 'span', kind: 'tool', name: 'search', max_ms: 2000, times: { max: 3, min: 1 } },
  on: 'run',
  schema: v.object({
    name: v.optional(name),
    kind: v.optional(v.picklist(SPAN_KINDS)),
    attributes: v.optional(v.record(v.string(), matcherField)),
    status: v.optional(v.picklist(['ok', 'error'])),
    under: v.optional(name),
    max_ms: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
    times: v.optional(closedObject(boundEntries)),
  }),

  compile(spec, { field }) {
    const { kind, attributes, status, under, max_ms } = spec
    if ([spec.name, kind, attributes, status, under].every((value) => value === undefined))
      throw new SpecError(field, 'needs name, kind, attributes, status or under: which step is meant')
    const bounds: Bounds = spec.times === undefined ? { min: 1 } : requireBounds(spec.times, `${field}.times`)
    const hasName = spec.name === undefined ? undefined : fits(spec.name)
    const isUnder = under === undefined ? undefined : fits(under)
    const subset = attributes && requireMatcher(attributes, `${field}.attributes`)
    const label = preview(defined({ name: spec.name, kind, attributes, status, under }))
    return withSpans((spans) => {
      const byId = new Map(spans.flatMap((each) => (each.id === undefined ? [] : [[each.id, each] as const])))
      const named = spans.filter(
        (each) =>
          (hasName?.(each.name) ?? true) &&
          (kind === undefined || each.kind === kind) &&
          (status === undefined || (each.error !== undefined) === (status === 'error')) &&
          (isUnder === undefined || ancestors(each, byId).some(({ name: above }) => isUnder(above))),
      )
      const gaps = named.map(({ attributes: own = {} }) => subset?.mismatches(own) ?? [])
      const found = named.filter((_, index) => gaps[index]?.length === 0)
      const open = gaps.filter((gap) => gap.length > 0 && gap.every(({ incomparable }) => incomparable)).length
      if (open > 0 && isWithin(found.length, bounds) !== isWithin(found.length + open, bounds))
        return notAvailable(`attributes of ${plural(open, 'step')} cannot be compared with ${label}`)
      if (!isWithin(found.length, bounds)) return wrongCount(label, bounds, found.length, spans)
      return max_ms === undefined ? { passed: true, actual: found.length } : inTime(found, max_ms)
    })
  },
})

export const spanSequence = defineAssertion({
  type: 'span_sequence',
  summary: 'Steps with these names began in this order; others may come between them',
  example: { type: 'span_sequence', names: ['plan', 'search', 'answer'] },
  on: 'run',
  schema: v.object({ names: v.pipe(v.array(name), v.minLength(1)) }),

  compile({ names }) {
    const wanted = names.map(fits)
    return withSpans((spans) => {
      const began = spans.map((each) => each.name)
      return inOrder(names, wanted, began, namesOf(spans))
    })
  },
})

/** An agent that reports no steps may have taken any. */
function withSpans(check: (spans: Span[]) => Verdict): Check {
  return (evidence: Evidence) => {
    const spans = agentSpans(evidence)
    if (spans.length > 0) return check(spans)
    return notAvailable('no steps are known: the agent is not a package and reports no "spans" in its reply')
  }
}

function fits(wanted: string): (found: string) => boolean {
  if (!wanted.includes('*')) return (found) => found === wanted
  const parts = wanted.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`, 's')
  return (found) => pattern.test(found)
}

/** Reported by the agent: it may contain cycles. */
function ancestors(span: Span, byId: ReadonlyMap<string, Span>): Span[] {
  const found: Span[] = []
  let at = span.parent === undefined ? undefined : byId.get(span.parent)
  while (at && !found.includes(at)) {
    found.push(at)
    at = at.parent === undefined ? undefined : byId.get(at.parent)
  }
  return found
}

function wrongCount(label: string, bounds: Bounds, count: number, spans: Span[]): Verdict {
  const actual = namesOf(spans)
  const happened = count === 0 ? 'never happened' : `happened ${plural(count, 'time')}`
  const message = `step ${label} ${happened}, expected ${describeBounds(bounds)}; there were ${actual.join(', ')}`
  return { passed: false, message, expected: `${label}, ${describeBounds(bounds)}`, actual }
}

function inTime(found: Span[], max: number): Verdict {
  const untimed = found.find(({ duration_ms }) => duration_ms === undefined)
  if (untimed) return notAvailable(`how long ${untimed.name} took is not known`)
  const slowest = found.reduce((most, { duration_ms = 0 }) => Math.max(most, duration_ms), 0)
  if (slowest <= max) return { passed: true, expected: max, actual: slowest }
  const late = found.filter(({ duration_ms = 0 }) => duration_ms > max)
  const message = `${namesOf(late).join(', ')} took up to ${Math.round(slowest)} ms, at most ${max} ms allowed`
  return { passed: false, message, expected: max, actual: slowest }
}

function namesOf(spans: Span[]): string[] {
  return spans.slice(0, MAX_SHOWN).map((each) => each.name)
}
