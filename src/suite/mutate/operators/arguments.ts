// With what tools were called: an argument missing, changed by its type, or one too many.
import { isRecord } from '../../../base/record.js'
import type { ToolCall } from '../../../model/message.js'
import { eachCalls, replaced, spread } from '../change.js'
import { changedLeaf, leavesOf } from '../json-leaves.js'
import type { Operator } from '../operator.js'
import { otherValue } from '../other-value.js'

/** Of one turn. */
const MOST = 24

export const argumentMissing: Operator = {
  name: 'argument missing',
  about: 'tools',
  meaning: 'a tool is called without something it needs',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      for (const { index, call, key } of spread(argumentsOf(calls), MOST)) {
        const { [key]: _gone, ...args } = call.args as Record<string, unknown>
        yield { what: `${call.name} is called without ${key}`, calls: replaced(calls, index, { ...call, args }) }
      }
    }),
}

export const argumentChanged: Operator = {
  name: 'argument changed',
  about: 'tools',
  meaning: 'the right thing is done with the wrong amount, date, person or option',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      const leaves = calls.flatMap((call, index) => leavesOf(call.args).map((leaf) => ({ index, call, ...leaf })))
      for (const { index, call, path, leaf } of spread(leaves, MOST)) {
        const now = otherValue(leaf)
        if (now === undefined) continue
        const args = changedLeaf(call.args, path, now)
        yield {
          what: `${call.name}: ${path.slice(2)} is ${JSON.stringify(now)} instead of ${JSON.stringify(leaf)}`,
          calls: replaced(calls, index, { ...call, args }),
        }
      }
    }),
}

export const argumentExtra: Operator = {
  name: 'extra argument',
  about: 'tools',
  meaning: 'a tool is called with something it should not get',
  mutants: (original) =>
    eachCalls(original, function* (calls) {
      for (const index of spread([...calls.keys()], MOST / 2)) {
        const call = calls[index]
        if (!call || !isRecord(call.args)) continue
        const args = { ...call.args, force: true }
        if ('force' in call.args) continue
        yield { what: `${call.name} is called with force: true, too`, calls: replaced(calls, index, { ...call, args }) }
      }
    }),
}

function argumentsOf(calls: readonly ToolCall[]): Array<{ index: number; call: ToolCall; key: string }> {
  return calls.flatMap((call, index) =>
    isRecord(call.args) ? Object.keys(call.args).map((key) => ({ index, call, key })) : [],
  )
}
