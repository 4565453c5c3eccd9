// Which tools were called, how often and in which order.
import type { ToolCall } from '../../../model/message.js'
import { canonicalJson } from '../../../base/json/canonical-json.js'
import { eachCalls, inserted, removed, replaced, spread, withCalls } from '../change.js'
import type { Operator, Original } from '../operator.js'

const MOST = 12

export const callDropped: Operator = {
  name: 'call dropped',
  about: 'tools',
  meaning: 'something that should be done is not done',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      for (const index of spread([...calls.keys()], MOST))
        yield { what: `${calls[index]?.name} is not called`, calls: removed(calls, index) }
    }),
}

export const callDoubled: Operator = {
  name: 'call doubled',
  about: 'tools',
  meaning: 'something is done twice',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      for (const index of spread([...calls.keys()], MOST)) {
        const call = calls[index]
        if (call) yield { what: `${call.name} is called twice`, calls: inserted(calls, index + 1, { ...call }) }
      }
    }),
}

export const callAdded: Operator = {
  name: 'call added',
  about: 'tools',
  meaning: 'something is done that nobody asked for',
  *mutants(original) {
    const { conduct } = original
    const turn = conduct.replies.length - 1
    const calls = conduct.replies[turn]?.tool_calls ?? []
    for (const call of spread(othersOf(original), MOST))
      yield { what: `${call.name} is called, too`, conduct: withCalls(conduct, turn, [...calls, call]), turn }
  },
}

export const otherTool: Operator = {
  name: 'another tool',
  about: 'tools',
  meaning: 'the wrong thing is done',
  mutants(original) {
    const others = othersOf(original)
    return eachCalls(original, function* (calls) {
      for (const index of spread([...calls.keys()], MOST)) {
        const call = calls[index]
        const other = others[index % Math.max(1, others.length)]
        if (call && other)
          yield {
            what: `${other.name} is called instead of ${call.name}`,
            calls: replaced(calls, index, { ...call, name: other.name }),
          }
      }
    })
  },
}

export const otherOrder: Operator = {
  name: 'another order',
  about: 'tools',
  meaning: 'things are done in the wrong order',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      for (const index of spread([...calls.keys()].slice(1), MOST)) {
        const [before, after] = [calls[index - 1], calls[index]]
        if (!before || !after || isSameCall(before, after)) continue
        yield {
          what: `${after.name} is called before ${before.name}`,
          calls: replaced(replaced(calls, index - 1, after), index, before),
        }
      }
    }),
}

export const callFailed: Operator = {
  name: 'result an error',
  about: 'tools',
  meaning: 'a tool fails, and users are told that all went well',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      for (const index of spread([...calls.keys()], MOST)) {
        const call = calls[index]
        if (!call || call.error !== undefined) continue
        const { result: _result, ...rest } = call
        yield {
          what: `${call.name} fails`,
          calls: replaced(calls, index, { ...rest, error: 'the service is not available' }),
        }
      }
    }),
}

/** In a conversation: promised in one turn, done in the next. */
export const callLate: Operator = {
  name: 'call after the claim',
  about: 'tools',
  meaning: 'users are told that something is done before it is',
  *mutants({ conduct }) {
    for (const [turn, reply] of conduct.replies.entries()) {
      const next = conduct.replies[turn + 1]
      if (!next || reply.tool_calls.length === 0) continue
      const moved = withCalls(withCalls(conduct, turn, []), turn + 1, [...reply.tool_calls, ...next.tool_calls])
      yield { what: `the calls of turn ${turn + 1} are made in the next`, conduct: moved, turn }
    }
  },
}

export const claimOnly: Operator = {
  name: 'claimed without the call',
  about: 'tools',
  meaning: 'users are told that something was done, and nothing was',
  *mutants({ conduct }) {
    if (conduct.replies.every(({ tool_calls }) => tool_calls.length === 0)) return
    yield { what: 'nothing is called, and the answer is the same', conduct: withoutCalls(conduct) }
  },
}

export function withoutCalls(conduct: Original['conduct']): Original['conduct'] {
  return conduct.replies.reduce((changed, _, turn) => withCalls(changed, turn, []), conduct)
}

function isSameCall(left: ToolCall, right: ToolCall): boolean {
  return left.name === right.name && canonicalJson(left.args ?? {}) === canonicalJson(right.args ?? {})
}

/** Calls of tools that the agent has and this conduct does not use. */
function othersOf({ conduct, tools }: Original): ToolCall[] {
  const used = new Set(conduct.replies.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name)))
  return [...tools].filter(([name]) => !used.has(name)).map(([name, args]) => ({ name, args, result: null }))
}
