// Claude Code: the prompt on standard input, NDJSON out, with usage and cost.
import { isRecord, readList, readString, readStrings } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import { defined } from '../../base/defined.js'
import { asText, oneLine } from '../../base/text.js'
import { textOf } from '../../model/last-user-text.js'
import type { ContentPart, ToolCall, Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import type { OutputReader, Program } from './program.js'

export const claude: Program = {
  name: 'claude',
  command: 'claude',
  reports: ['tokens', 'cost'],
  invoke: (prompt, args) => ({
    args: ['--dangerously-skip-permissions', '--verbose', '--output-format', 'stream-json', '--print', ...args],
    stdin: prompt,
  }),
  reader: claudeReader,
}

export function claudeReader(onText: (text: string) => void): OutputReader {
  const texts: string[] = []
  const byMessage = new Map<string, Usage>()
  const calls: ToolCall[] = []
  let tools: string[] | undefined
  let usage: Usage | undefined
  let cost: number | undefined
  let final: string | undefined
  let error: string | undefined
  let isOver = false
  let held = ''

  const say = (text: string): void => {
    texts.push(text)
    onText(text.endsWith('\n') ? text : `${text}\n`)
  }
  const line = (text: string): void => {
    if (text.trim() === '') return
    const value = parseJson(text)?.value
    // Not from the model: shown, and never searched for events.
    if (!isRecord(value)) return onText(`${text}\n`)
    const { type, subtype, message, result, total_cost_usd, is_error } = value
    if (type === 'assistant' && isRecord(message)) {
      for (const block of readList(message['content'])) {
        if (!isRecord(block)) continue
        const { type: kind, text: said } = block
        if (kind === 'text' && typeof said === 'string') say(said)
        if (typeof kind === 'string' && kind.endsWith('tool_use')) addCall(calls, block)
      }
      const used = usageOf(message['usage'])
      // One message may come in several lines, each with the usage of the whole.
      if (used) byMessage.set(typeof message['id'] === 'string' ? message['id'] : String(byMessage.size), used)
    }
    if (isRecord(message)) for (const block of readList(message['content'])) addResult(calls, block)
    if (type === 'system' && subtype === 'init') tools = readStrings(value['tools'])
    if (type !== 'result') return
    isOver = true
    usage = usageOf(value['usage']) ?? usage
    if (typeof total_cost_usd === 'number' && Number.isFinite(total_cost_usd)) cost = (cost ?? 0) + total_cost_usd
    if (typeof result === 'string') final = result
    // Not every version sets the flag when it gives up.
    if (is_error === true || (typeof subtype === 'string' && subtype.startsWith('error')))
      error = `claude reported an error: ${oneLine(asText(result ?? subtype ?? 'it gave no reason'), 300)}`
  }

  return {
    push(text) {
      const lines = (held + text).split('\n')
      held = lines.pop() ?? ''
      for (const each of lines) line(each)
    },
    end() {
      line(held)
      held = ''
      if (texts.length === 0 && final !== undefined && error === undefined) say(final)
      for (const each of usage ? [] : byMessage.values()) usage = addUsage(usage, each)
      if (!isOver) error ??= 'claude ended without its result line'
      const answer = { output: texts.join('\n'), tool_calls: calls, ...(!isOver && { calls_cut: true as const }) }
      return { ...answer, ...defined({ usage, cost_dollars: cost, error, tools }) }
    },
  }
}

/** A message may come in several lines; an id that another tool has as well is another call. */
function addCall(calls: ToolCall[], { id, name, input }: Record<string, unknown>): void {
  const tool = typeof name === 'string' ? { name } : { name: 'tool', unnamed: true as const }
  const known = calls.find((call) => call.id !== undefined && call.id === id && call.name === tool.name)
  if (known) known.args = input ?? known.args
  else calls.push({ ...tool, args: input ?? {}, ...defined({ id: readString(id) }) })
}

/** What a tool returned comes back in a message of the user. */
function addResult(calls: ToolCall[], block: unknown): void {
  if (!isRecord(block) || typeof block['type'] !== 'string' || !block['type'].endsWith('tool_result')) return
  const { tool_use_id: id, content = null, is_error } = block
  const call = calls.findLast((each) => each.id !== undefined && each.id === id)
  if (!call) return
  const isText = Array.isArray(content) && content.every((part) => isRecord(part) && typeof part['text'] === 'string')
  const result: unknown = isText ? textOf(content as ContentPart[]) : content
  if (is_error === true) call.error = asText(result)
  else call.result = result
}

/** What is read from and written to the cache counts as input. */
function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined
  const count = (key: string): number => {
    const number = value[key]
    return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : 0
  }
  const input = count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens')
  const output = count('output_tokens')
  return { input_tokens: input, output_tokens: output, total_tokens: input + output }
}
