// A tool call in one line: `create({amount: 3500})`.
import { asJson } from '../../base/text.js'
import type { ToolCall } from '../../model/message.js'

export function callText(call: ToolCall): string {
  return `${call.name}(${call.args === undefined || call.args === null ? '' : looseJson(call.args)})`
}

/** JSON as people write it down: names without quotes, a blank after each comma. */
export function looseJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(looseJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return asJson(value)
  const fields = Object.entries(value).map(
    ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : asJson(key)}: ${looseJson(item)}`,
  )
  return `{${fields.join(', ')}}`
}
