// OpenCode: the prompt as the last argument of `run`, or on standard input; NDJSON out, with tool calls, tokens and cost.
import { parseJson } from '../../base/json/parse-json.js'
import { isRecord, readString } from '../../base/record.js'
import { asText, oneLine } from '../../base/text.js'
import { addUsage } from '../../model/usage.js'
import { countOf, jsonLinesReader, nameOf, type JsonAnswer, type JsonEvent } from './json-lines.js'
import type { OutputReader, Program } from './program.js'

export const opencode: Program = {
  name: 'opencode',
  command: 'opencode',
  reports: ['tokens', 'cost'],
  variables: {
    keys: [
      'ANTHROPIC_API_KEY',
      'DEEPSEEK_API_KEY',
      'GEMINI_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'GROQ_API_KEY',
      'MISTRAL_API_KEY',
      'OPENAI_API_KEY',
      'OPENCODE_API_KEY',
      'OPENROUTER_API_KEY',
      'XAI_API_KEY',
    ],
    others: ['OPENCODE_CONFIG'],
    homes: ['OPENCODE_CONFIG_DIR'],
  },
  invoke: (prompt, args) => ({ args: ['run', '--format', 'json', ...args, prompt] }),
  invokeLong: (prompt, args) => ({ args: ['run', '--format', 'json', ...args], stdin: prompt }),
  reader: opencodeReader,
  skills: {
    folder: '.opencode/skills',
    offered: async ({ ask }) => namedSkills(await ask(['debug', 'skill'])),
  },
}

/** A list of `{name, description, location, content}`. */
export function namedSkills(printed: string | undefined): string[] | undefined {
  const list = printed === undefined ? undefined : parseJson(printed)?.value
  if (!Array.isArray(list)) return undefined
  return list.flatMap((skill: unknown) => (isRecord(skill) ? (readString(skill['name']) ?? []) : []))
}

export function opencodeReader(onText: (text: string) => void): OutputReader {
  const steps = new Set<unknown>()
  return jsonLinesReader(onText, {
    name: 'opencode',
    take: (event, answer) => take(event, answer, steps),
    orText: true,
  })
}

/** `seen`: steps that have been counted. */
function take(event: JsonEvent, answer: JsonAnswer, seen: Set<unknown>): boolean {
  const { type, error } = event
  const part = isRecord(event['part']) ? event['part'] : {}
  answer.session = readString(event['sessionID']) ?? answer.session
  switch (type) {
    case 'text':
      answer.say(readString(part['text']) ?? '')
      return true
    case 'tool_use':
      addCall(part, answer)
      return true
    case 'step_finish':
      addStep(part, answer, seen)
      return true
    case 'error':
      answer.error = reported(error)
      return true
    default:
      return type === 'step_start' || type === 'reasoning'
  }
}

function addCall({ tool, callID, state }: JsonEvent, answer: JsonAnswer): void {
  const { status, input, output, error, metadata } = isRecord(state) ? state : {}
  // A command that failed is reported as completed.
  const exit = isRecord(metadata) ? metadata['exit'] : undefined
  const failed = status !== 'completed' || (typeof exit === 'number' && exit !== 0)
  answer.call({
    ...nameOf(tool),
    args: input ?? {},
    id: readString(callID) ?? '',
    ...(failed ? { error: asText(error ?? output ?? status ?? 'failed') } : { result: output ?? null }),
  })
}

/** What is read from and written to the cache counts as input. */
function addStep({ id, reason, tokens, cost }: JsonEvent, answer: JsonAnswer, seen: Set<unknown>): void {
  // After a step that called tools comes another one.
  answer.isOver = reason !== 'tool-calls'
  if (id !== undefined && seen.has(id)) return
  seen.add(id)
  const counts = isRecord(tokens) ? tokens : {}
  const cache = isRecord(counts['cache']) ? counts['cache'] : {}
  const input_tokens = countOf(counts['input']) + countOf(cache['read']) + countOf(cache['write'])
  const output_tokens = countOf(counts['output']) + countOf(counts['reasoning'])
  answer.usage = addUsage(answer.usage, { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens })
  // A model without a price costs 0 here, which is not known to be true.
  if (countOf(cost) > 0) answer.cost = (answer.cost ?? 0) + countOf(cost)
  else if (input_tokens + output_tokens > 0) answer.isUnpriced = true
}

function reported(error: unknown): string {
  const data = isRecord(error) && isRecord(error['data']) ? error['data'] : error
  const reason = isRecord(data) ? (data['message'] ?? data) : data
  return `opencode reported an error: ${oneLine(asText(reason ?? 'it gave no reason'), 300)}`
}
