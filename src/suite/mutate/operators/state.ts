// What the agent changes outside the conversation.
import { jsonChanges, pathText, type JsonChange, type Segment } from '../../../base/json/json-changes.js'
import { isRecord } from '../../../base/record.js'
import type { Conduct } from '../../conduct.js'
import { placed } from '../../conduct-state.js'
import { spread } from '../change.js'
import { leavesOf } from '../json-leaves.js'
import type { Operator } from '../operator.js'
import { otherValue } from '../other-value.js'

const MOST = 8
const UNWANTED = 'unwanted'

export const stateElsewhere: Operator = {
  name: 'state changed elsewhere',
  about: 'state',
  meaning: 'something is changed that should be left alone',
  *mutants({ conduct }) {
    const { state } = conduct
    if (!state) return
    for (const parent of spread(parentsIn(conduct), MOST)) {
      const path = [...parent, UNWANTED]
      const now = { ...state, before: placed(state.before, path, 'before'), after: placed(state.after, path, 'after') }
      yield { what: `${pathText(path)} is changed, too`, conduct: { ...conduct, state: now } }
    }
  },
}

export const stateMissing: Operator = {
  name: 'state change missing',
  about: 'state',
  meaning: 'something that should have been done is not',
  *mutants({ conduct }) {
    const changes = changesIn(conduct)
    for (const skipped of spread(changes, MOST))
      yield {
        what: `${pathText(skipped.segments)} is left as it was`,
        conduct: onlyWith(
          conduct,
          changes.filter((change) => change !== skipped),
        ),
      }
  },
}

export const stateValue: Operator = {
  name: 'state value changed',
  about: 'state',
  meaning: 'the right thing is changed to the wrong value',
  *mutants({ conduct }) {
    const { state } = conduct
    const leaves = changesIn(conduct).flatMap(({ segments, after }) => leavesBelow(segments, after))
    for (const { path, leaf } of state ? spread(leaves, MOST) : []) {
      const now = otherValue(leaf)
      if (now === undefined) continue
      yield {
        what: `${pathText(path)} is ${JSON.stringify(now)} instead of ${JSON.stringify(leaf)}`,
        conduct: { ...conduct, ...(state && { state: { ...state, after: placed(state.after, path, now) } }) },
      }
    }
  },
}

function changesIn({ state }: Conduct): JsonChange[] {
  return state ? jsonChanges(state.before, state.after) : []
}

/** The same state with these changes and no others. */
function onlyWith(conduct: Conduct, changes: readonly JsonChange[]): Conduct {
  const { state } = conduct
  if (!state) return conduct
  let after = state.before
  for (const { segments, after: now, change } of changes)
    if (change !== 'removed') after = placed(after, segments, now)
    else after = removedAt(after, segments)
  return { ...conduct, state: { ...state, after } }
}

function removedAt(data: unknown, [step, ...rest]: readonly Segment[]): unknown {
  if (step === undefined) return undefined
  if (Array.isArray(data))
    return rest.length === 0
      ? data.slice(0, Number(step))
      : data.map((item: unknown, at) => (at === step ? removedAt(item, rest) : item))
  if (!isRecord(data)) return data
  const { [step]: old, ...others } = data
  return rest.length === 0 ? others : { ...others, [step]: removedAt(old, rest) }
}

/** The objects that something was changed in, the whole state first. */
function parentsIn(conduct: Conduct): Segment[][] {
  const parents = changesIn(conduct)
    .map(({ segments }) => segments.slice(0, -1))
    .filter((segments) => segments.length > 0 && isRecord(valueAt(conduct.state?.after, segments)))
  return [...new Map([[], ...parents].map((segments) => [pathText(segments), segments])).values()]
}

function valueAt(data: unknown, segments: readonly Segment[]): unknown {
  return segments.reduce<unknown>(
    (value, step) => (isRecord(value) || Array.isArray(value) ? (value as Record<Segment, unknown>)[step] : undefined),
    data,
  )
}

function leavesBelow(segments: readonly Segment[], value: unknown): Array<{ path: Segment[]; leaf: unknown }> {
  const inside = leavesOf(value)
  return inside.length === 0
    ? [{ path: [...segments], leaf: value }]
    : inside.map(({ steps, leaf }) => ({ path: [...segments, ...steps], leaf }))
}
