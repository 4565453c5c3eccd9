// Gemini CLI: the prompt as the value of -p, NDJSON out, with tool calls and tokens.
import { isRecord, readString } from '../../base/record.js'
import { asText, oneLine } from '../../base/text.js'
import { countOf, jsonLinesReader, nameOf, type JsonAnswer, type JsonEvent } from './json-lines.js'
import type { OutputReader, Program } from './program.js'

/** Its exit code for a fatal authentication error. */
const NO_LOGIN = 41

export const gemini: Program = {
  name: 'gemini',
  command: 'gemini',
  reports: ['tokens'],
  variables: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    others: [
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GOOGLE_CLOUD_LOCATION',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_VERTEX_BASE_URL',
    ],
    homes: ['GEMINI_CLI_HOME'],
  },
  needs: [
    {
      what: 'login',
      args: ['--skip-trust', '--list-sessions'],
      isMissing: ({ exit_code, stderr }) => exit_code === NO_LOGIN && /auth/i.test(stderr),
      message: 'gemini is not logged in',
      hint: 'set GEMINI_API_KEY, or start gemini once by hand and choose how to log in',
    },
  ],
  // A workspace is never a folder that somebody has trusted before.
  invoke: (prompt, args) => ({ args: ['--yolo', '--skip-trust', '-o', 'stream-json', ...args, '-p', prompt] }),
  reader: geminiReader,
  skills: {
    folder: '.gemini/skills',
    // It shows none of a folder that nobody has trusted.
    offered: async ({ ask }) =>
      listedSkills(await ask(['skills', 'list', '--all'], { GEMINI_CLI_TRUST_WORKSPACE: 'true' })),
  },
}

/** `name [Enabled] [Built-in]`, then what it is for and where it is. */
export function listedSkills(printed: string | undefined): string[] | undefined {
  if (printed === undefined || !/skills/i.test(printed)) return undefined
  return [...printed.matchAll(/^(\S+) \[Enabled\]/gm)].flatMap(([, name]) => name ?? [])
}

export function geminiReader(onText: (text: string) => void): OutputReader {
  return jsonLinesReader(onText, { name: 'gemini', take, orText: true })
}

function take(event: JsonEvent, answer: JsonAnswer): boolean {
  switch (event['type']) {
    case 'init':
      answer.session = readString(event['session_id'])
      return true
    case 'message':
      if (event['role'] === 'assistant') answer.add(readString(event['content']) ?? '')
      return true
    case 'tool_use':
      answer.call({
        ...nameOf(event['tool_name']),
        args: event['parameters'] ?? {},
        id: readString(event['tool_id']) ?? '',
      })
      return true
    case 'tool_result':
      addResult(event, answer)
      return true
    case 'error':
      if (event['severity'] !== 'warning') answer.error = reported(event['message'])
      return true
    case 'result': {
      answer.isOver = true
      if (event['status'] !== 'success') answer.error ??= reported(event['error'] ?? event['status'])
      const { stats } = event
      if (!isRecord(stats)) return true
      const [input_tokens, output_tokens] = [countOf(stats['input_tokens']), countOf(stats['output_tokens'])]
      answer.usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
      return true
    }
    default:
      return false
  }
}

function addResult({ tool_id, status, output, error }: JsonEvent, { calls }: JsonAnswer): void {
  const call = calls.findLast(({ id }) => id !== undefined && id === tool_id)
  if (!call) return
  if (status === 'success') call.result = output ?? null
  else call.error = asText(isRecord(error) ? (error['message'] ?? error) : (error ?? output ?? 'failed'))
}

function reported(error: unknown): string {
  const reason = isRecord(error) ? (error['message'] ?? error) : error
  return `gemini reported an error: ${oneLine(asText(reason ?? 'it gave no reason'), 300)}`
}
