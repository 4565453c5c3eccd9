// Codex: the prompt as the last argument; `-` reads it from standard input. NDJSON out, with what it ran and tokens.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, readString } from '../../base/record.js'
import { asText, oneLine } from '../../base/text.js'
import type { ToolCall } from '../../model/message.js'
import { countOf, jsonLinesReader, nameOf, type JsonAnswer, type JsonEvent } from './json-lines.js'
import { rolloutSkills } from './codex-rollout.js'
import type { OutputReader, Program } from './program.js'

/** Given in any spelling, ours says it already; `--full-auto` is refused beside it, and left over in many configurations. */
const SUPERSEDED = new Set(['--full-auto', '--yolo', '--dangerously-bypass-approvals-and-sandbox'])

export const codex: Program = {
  name: 'codex',
  command: 'codex',
  reports: ['tokens'],
  variables: {
    keys: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
    others: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    homes: ['CODEX_HOME'],
  },
  needs: [
    {
      what: 'login',
      args: ['login', 'status'],
      // Another provider has a key of its own, or needs none.
      applies: ({ args, env }) => !args.some((arg) => OWN_PROVIDER.test(arg)) && !hasOwnProvider(env),
      isMissing: ({ exit_code, stdout, stderr }) => exit_code === 1 && /^not logged in/im.test(`${stdout}\n${stderr}`),
      message: 'codex is not logged in',
      hint: 'run codex login, set CODEX_API_KEY, or name a model_provider with a key of its own',
    },
  ],
  invoke: (prompt, args) => ({ args: [...options(args), prompt] }),
  invokeLong: (prompt, args) => ({ args: [...options(args), '-'], stdin: prompt }),
  reader: codexReader,
  skills: { folder: '.agents/skills', offered: ({ env, session_id }) => rolloutSkills(env, session_id) },
}

const OWN_PROVIDER = /^(?:-c|--config|-p|--profile|--oss|--local-provider)(?:=|$)/

function hasOwnProvider({ CODEX_HOME, HOME = '' }: Readonly<Record<string, string | undefined>>): boolean {
  try {
    const text = readFileSync(join(CODEX_HOME ?? join(HOME, '.codex'), 'config.toml'), 'utf8')
    return /^\s*(?:model_provider|profile|openai_base_url|oss_provider)\s*=/m.test(text)
  } catch {
    return false
  }
}

function options(args: string[]): string[] {
  // A workspace need not be a git repository.
  const own = ['exec', '--yolo', '--json', '--skip-git-repo-check']
  return [...own, ...args.filter((arg) => !SUPERSEDED.has(arg) && !own.includes(arg))]
}

export function codexReader(onText: (text: string) => void): OutputReader {
  return jsonLinesReader(onText, { name: 'codex', take, orText: true })
}

function take(event: JsonEvent, answer: JsonAnswer): boolean {
  const { type, item, usage, error, message } = event
  if (typeof type !== 'string') return false
  if (type === 'thread.started') answer.session = readString(event['thread_id'])
  else if (type === 'item.completed' && isRecord(item)) takeItem(item, answer)
  else if (type === 'turn.completed') {
    answer.isOver = true
    if (isRecord(usage)) answer.usage = usageOf(usage)
  } else if (type === 'turn.failed') answer.error = reported(isRecord(error) ? error['message'] : error)
  else if (type === 'error' && !RETRIES.test(asText(message))) answer.error ??= reported(message)
  return /^(?:thread|turn|item)\.|^error$/.test(type)
}

/** It goes on after these: `turn.failed` comes if it gives up. */
const RETRIES = /^Reconnecting\b/

/** Codex names what it did, not the tool of its model: `command_execution`, `file_change`, `mcp_tool_call`, `web_search`. */
function takeItem(item: JsonEvent, answer: JsonAnswer): void {
  const { type, text } = item
  if (type === 'agent_message' && typeof text === 'string') answer.say(text)
  const call = CALLS[String(type)]?.(item)
  if (call) answer.call(withOutcome(call, item))
}

const CALLS: Record<string, (item: JsonEvent) => ToolCall> = {
  command_execution: ({ command }) => ({ name: 'command_execution', args: { command } }),
  file_change: ({ changes }) => ({ name: 'file_change', args: { changes } }),
  mcp_tool_call: ({ server, tool, arguments: args }) => ({
    ...nameOf(tool),
    server: readString(server) ?? '',
    args: args ?? {},
  }),
  web_search: ({ query }) => ({ name: 'web_search', args: { query } }),
}

function withOutcome(call: ToolCall, { id, status, aggregated_output, exit_code, result, error }: JsonEvent): ToolCall {
  const output = aggregated_output ?? result ?? null
  const failed = (status !== undefined && status !== 'completed') || (typeof exit_code === 'number' && exit_code !== 0)
  const reason = isRecord(error) ? error['message'] : (error ?? output)
  return {
    ...call,
    id: readString(id) ?? '',
    ...(failed ? { error: asText(reason ?? status) } : { result: output }),
  }
}

/** Cached input is part of the input, reasoning part of the output. */
function usageOf(usage: JsonEvent): NonNullable<JsonAnswer['usage']> {
  const [input_tokens, output_tokens] = [countOf(usage['input_tokens']), countOf(usage['output_tokens'])]
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}

function reported(message: unknown): string {
  return `codex reported an error: ${oneLine(asText(message ?? 'it gave no reason'), 300)}`
}
