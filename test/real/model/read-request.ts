// What a request of any vendor asks, in one form: enough to decide what a model would do.
import { isRecord } from '../../../src/base/record.js'
import { asText } from '../../../src/base/text.js'

export interface ModelRequest {
  /** Names of the tools on offer. */
  tools: string[]
  /** The last text of the user. */
  task: string
  /** What tools have answered since then. */
  results: string[]
}

type Item = Record<string, unknown>

export function readRequest(body: unknown): ModelRequest {
  const asked = isRecord(body) ? body : {}
  const items = listOf(asked['messages'] ?? asked['contents'] ?? asked['input']).flatMap(flatten)
  const last = items.findLastIndex((item) => item.kind === 'user')
  return {
    tools: listOf(asked['tools']).flatMap(toolNames),
    task: typeof asked['input'] === 'string' ? asked['input'] : (items[last]?.text ?? ''),
    results: items.slice(last + 1).flatMap((item) => (item.kind === 'result' ? [item.text] : [])),
  }
}

interface Flat {
  kind: 'user' | 'result' | 'other'
  text: string
}

function flatten(item: Item): Flat[] {
  const { role, type } = item
  if (role === 'tool') return [{ kind: 'result', text: textOf(item['content']) }]
  if (String(type).endsWith('_call_output')) return [{ kind: 'result', text: textOf(item['output']) }]
  if (role !== 'user') return [{ kind: 'other', text: '' }]
  const parts = listOf(item['content'] ?? item['parts'])
  const results = parts.filter((part) => part['type'] === 'tool_result' || part['functionResponse'] !== undefined)
  if (results.length > 0)
    return results.map((part) => ({ kind: 'result', text: textOf(part['content'] ?? part['functionResponse']) }))
  return [{ kind: 'user', text: textOf(item['content'] ?? item['parts']) }]
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value
      .map((part: unknown) => (isRecord(part) ? textOf(part['text'] ?? part['response'] ?? '') : String(part)))
      .join('\n')
  return JSON.stringify(value ?? '')
}

function toolNames(tool: Item): string[] {
  const declared = listOf(tool['functionDeclarations'])
  if (declared.length > 0) return declared.map(({ name }) => String(name))
  const called = isRecord(tool['function']) ? tool['function']['name'] : tool['name']
  return called === undefined ? [] : [asText(called)]
}

function listOf(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter((item) => isRecord(item)) : []
}
