// Claude Code: the prompt on standard input, NDJSON out, with usage and cost.
import { isRecord, readList, readStrings } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import { defined } from '../../base/defined.js'
import { asText, oneLine } from '../../base/text.js'
import type { Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import type { OutputReader, Program } from './program.js'

export const claude: Program = {
  name: 'claude',
  command: 'claude',
  reportsCost: true,
  invoke: (prompt, args) => ({
    args: ['--dangerously-skip-permissions', '--verbose', '--output-format', 'stream-json', '--print', ...args],
    stdin: prompt,
  }),
  reader: claudeReader,
}

export function claudeReader(onText: (text: string) => void): OutputReader {
  const texts: string[] = []
  const byMessage = new Map<string, Usage>()
  const calls = new Map<string, string>()
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
        const { type: kind, text: said, name, id } = block
        if (kind === 'text' && typeof said === 'string') say(said)
        if (kind === 'tool_use' && typeof name === 'string')
          calls.set(typeof id === 'string' ? id : `#${calls.size}`, name)
      }
      const used = usageOf(message['usage'])
      // One message may come in several lines, each with the usage of the whole.
      if (used) byMessage.set(typeof message['id'] === 'string' ? message['id'] : String(byMessage.size), used)
    }
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
      const answer = { output: texts.join('\n'), tool_calls: [...calls.values()] }
      return { ...answer, ...defined({ usage, cost_dollars: cost, error, tools }) }
    },
  }
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
