// Claude Code: the prompt on standard input, NDJSON out, with usage and cost.
import { isRecord, readList, readString, readStrings } from '../../base/record.js'
import { defined } from '../../base/defined.js'
import { parseJson } from '../../base/json/parse-json.js'
import { asText, oneLine } from '../../base/text.js'
import { textOf } from '../../model/last-user-text.js'
import type { ContentPart, ToolCall, Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import { countOf, jsonLinesReader, nameOf, type JsonAnswer, type JsonEvent } from './json-lines.js'
import type { OutputReader, Program } from './program.js'

export const claude: Program = {
  name: 'claude',
  command: 'claude',
  reports: ['tokens', 'cost'],
  variables: {
    keys: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
    ],
    others: [
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_BEDROCK_BASE_URL',
      'ANTHROPIC_VERTEX_BASE_URL',
      'ANTHROPIC_VERTEX_PROJECT_ID',
      'AWS_BEARER_TOKEN_BEDROCK',
      'AWS_PROFILE',
      'AWS_REGION',
      'CLOUD_ML_REGION',
    ],
    homes: ['CLAUDE_CONFIG_DIR'],
  },
  needs: [
    {
      what: 'user',
      // Without a prompt it ends before it asks its model.
      args: ['--dangerously-skip-permissions', '--print'],
      applies: () => process.getuid?.() === 0,
      isMissing: ({ exit_code, stderr }) => exit_code !== 0 && /root\/sudo/.test(stderr),
      message: 'claude refuses to skip permission prompts when run as root',
      hint: 'run viva as another user; in a dedicated container, set IS_SANDBOX=1 yourself and pass --pass-env IS_SANDBOX',
    },
    {
      what: 'login',
      args: ['auth', 'status', '--json'],
      isMissing: ({ stdout }) => {
        const status = parseJson(stdout)?.value
        return isRecord(status) && status['loggedIn'] === false
      },
      message: 'claude is not logged in',
      hint: 'run claude auth login, or set ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN or CLAUDE_CODE_OAUTH_TOKEN',
    },
  ],
  invoke: (prompt, args) => ({
    args: ['--dangerously-skip-permissions', '--verbose', '--output-format', 'stream-json', '--print', ...args],
    stdin: prompt,
  }),
  reader: claudeReader,
  skills: { folder: '.claude/skills' },
}

export function claudeReader(onText: (text: string) => void): OutputReader {
  const byMessage = new Map<string, Usage>()
  let hasSpoken = false
  let final: string | undefined
  return jsonLinesReader(onText, {
    name: 'claude',
    take(event, answer) {
      const { type, subtype, message } = event
      answer.session = readString(event['session_id']) ?? answer.session
      if (type === 'assistant' && isRecord(message)) {
        for (const block of readList(message['content'])) {
          if (!isRecord(block)) continue
          const { type: kind, text } = block
          if (kind === 'text' && typeof text === 'string') {
            hasSpoken = true
            answer.say(text)
          }
          if (typeof kind === 'string' && kind.endsWith('tool_use')) addCall(answer, block)
        }
        const used = usageOf(message['usage'])
        // One message may come in several lines, each with the usage of the whole.
        if (used) byMessage.set(typeof message['id'] === 'string' ? message['id'] : String(byMessage.size), used)
      }
      if (isRecord(message)) for (const block of readList(message['content'])) addResult(answer.calls, block)
      if (type === 'system' && subtype === 'init') {
        answer.tools = readStrings(event['tools'])
        if (Array.isArray(event['skills'])) answer.skills = readStrings(event['skills'])
      }
      if (type === 'result') final = takeResult(event, answer) ?? final
      return true
    },
    end(answer) {
      if (!hasSpoken && final !== undefined && answer.error === undefined) answer.say(final)
      const counted = answer.usage ? [] : [...byMessage.values()]
      for (const each of counted) answer.usage = addUsage(answer.usage, each)
    },
  })
}

/** Its last words, which may be all that it has said. */
function takeResult(
  { subtype, result, usage, total_cost_usd, is_error }: JsonEvent,
  answer: JsonAnswer,
): string | undefined {
  answer.isOver = true
  const used = usageOf(usage)
  if (used) answer.usage = used
  if (typeof total_cost_usd === 'number' && Number.isFinite(total_cost_usd))
    answer.cost = (answer.cost ?? 0) + total_cost_usd
  // Not every version sets the flag when it gives up.
  if (is_error === true || (typeof subtype === 'string' && subtype.startsWith('error')))
    answer.error = `claude reported an error: ${oneLine(asText(result ?? subtype ?? 'it gave no reason'), 300)}`
  return readString(result)
}

/** A message may come in several lines. */
function addCall(answer: JsonAnswer, { id, name, input }: Record<string, unknown>): void {
  answer.call({ ...nameOf(name), args: input ?? {}, ...defined({ id: readString(id) }) })
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
  const count = (key: string): number => countOf(value[key])
  const input = count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens')
  const output = count('output_tokens')
  return { input_tokens: input, output_tokens: output, total_tokens: input + output }
}
