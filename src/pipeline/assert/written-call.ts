// Calls that a model wrote into its answer, because what serves it did not read them as calls.
import { findAllJson, withoutThinking } from '../../base/json/find-json.js'
import { isRecord } from '../../base/record.js'
import { preview } from '../../base/text.js'

/** The call as it is written, or undefined. */
export function writtenCall(answer: unknown): string | undefined {
  const said = typeof answer === 'string' ? withoutThinking(answer) : answer
  const mark = typeof said === 'string' ? MARK.exec(said) : null
  if (mark && typeof said === 'string') return preview(said.slice(mark.index))
  const [call] = (typeof said === 'string' ? findAllJson(said) : [said]).flatMap(callsIn)
  return call && preview(call)
}

/** How calls begin in the templates of models that anyone can serve; no answer to a person has them. */
const MARK = /<tool_call>|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<｜tool▁calls?▁begin｜>/

function callsIn(value: unknown): Array<Record<string, unknown>> {
  if (Array.isArray(value)) return value.flatMap(callsIn)
  if (!isRecord(value)) return []
  const { name, arguments: args, parameters = args, function: inner, tool_calls: calls } = value
  if (typeof name === 'string' && (isRecord(parameters) || typeof parameters === 'string')) return [value]
  return [inner, calls].flatMap(callsIn)
}
