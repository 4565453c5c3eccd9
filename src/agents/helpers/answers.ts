// What helper agents answer, read strictly: an answer that cannot be used is that helper's error.
import { AgentError } from '../../errors.js'
import type { HelperRole } from '../../model/helper.js'
import { findJson, wholeJson, withoutThinking } from '../../base/json/find-json.js'
import { asText, clip } from '../../base/text.js'
import { isRecord } from '../../base/record.js'
import { prettyJson } from '../../base/json/pretty-json.js'

export interface SimulatorAnswer {
  /** The next user message; may be absent once the goal is achieved. */
  input?: string
  goal_achieved: boolean
  reasoning?: string
}

/** `{input or message, goal_achieved, reasoning?}`; plain text is the message, but not text that starts as JSON. */
export function parseSimulatorAnswer(answer: unknown): SimulatorAnswer {
  const fields = simulatorFields(answer)
  if (!fields) return { input: plainMessage(answer), goal_achieved: false }
  const goal = goalAchieved(fields['goal_achieved'], answer)
  const input = messageText(fields['input'] ?? fields['message'], answer)
  const reasoning = fields['reasoning']
  if (input === undefined && !goal)
    throw unusable('simulator', 'has no "input" and does not say "goal_achieved"', answer)
  return {
    goal_achieved: goal,
    ...(input === undefined ? {} : { input }),
    ...(typeof reasoning === 'string' && reasoning !== '' ? { reasoning } : {}),
  }
}

/** `{cases: […]}`, `{test_cases: […]}`, a list, or one case. The cases themselves are checked where files are. */
export function parseGeneratorAnswer(answer: unknown): unknown[] {
  const found = (typeof answer === 'string' ? jsonLines(answer) : undefined) ?? findJson(answer)?.value
  const cases = casesIn(found)
  if (!cases) throw unusable('generator', 'is neither {"cases": […]}, a list of cases, nor one case', answer)
  if (cases.length === 0) throw unusable('generator', 'has no cases in it', answer)
  return cases
}

/** The document a reporter agent wrote; a fence around all of it is not part of it. */
export function parseReporterAnswer(answer: unknown, format: string): string {
  if (typeof answer === 'string' && answer.trim() !== '') return withoutFence(answer)
  if (isRecord(answer)) {
    const text = ['content', 'document', 'report', 'text']
      .map((key) => answer[key])
      .find((value) => typeof value === 'string')
    if (typeof text === 'string') return withoutFence(text)
    if (format === 'json') return prettyJson(answer)
  }
  throw unusable('reporter', 'is not the text of a document', answer)
}

function unusable(role: HelperRole, what: string, answer: unknown): AgentError {
  const shown = clip(asText(answer).trim(), 200)
  return new AgentError({
    code: 'bad_response',
    message: `the ${role}'s answer ${what}: ${shown === '' ? '(empty)' : shown}`,
  })
}

function simulatorFields(answer: unknown): Record<string, unknown> | undefined {
  const found = findJson(answer)?.value
  if (isRecord(found) && ['input', 'message', 'goal_achieved'].some((key) => Object.hasOwn(found, key))) return found
  if (typeof answer === 'string' && !STARTS_AS_JSON.test(answer)) return undefined
  throw unusable('simulator', 'is not {"input", "goal_achieved"}', answer)
}

// A stage direction is prose: `[sighs] A latte, please`.
const STARTS_AS_JSON = /^\s*(?:\{|\[\s*(?:["'{[\]\d-]|$)|(?:`{3,}|~{3,})(?:\s*json|\s*[{[]))/i

function plainMessage(answer: unknown): string {
  const text = withoutThinking(asText(answer)).trim()
  if (text === '') throw unusable('simulator', 'says nothing', answer)
  return text
}

function goalAchieved(value: unknown, answer: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw unusable('simulator', 'has a "goal_achieved" that is neither true nor false', answer)
}

function messageText(value: unknown, answer: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw unusable('simulator', 'has an "input" that is not text', answer)
}

function casesIn(found: unknown): unknown[] | undefined {
  if (Array.isArray(found)) return found.every((item) => isRecord(item)) ? found : undefined
  if (!isRecord(found)) return undefined
  const listed = found['cases'] ?? found['test_cases']
  if (listed !== undefined) return Array.isArray(listed) ? listed : undefined
  return ['id', 'input', 'messages', 'turns', 'simulator'].some((key) => Object.hasOwn(found, key))
    ? [found]
    : undefined
}

// One case per line, as in a case file: the JSON finder would keep only the longest.
function jsonLines(text: string): unknown[] | undefined {
  const lines = text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('```'))
  if (lines.length < 2 || !lines.every(({ line }) => line.startsWith('{'))) return undefined
  const values = lines.map(({ line }) => wholeJson(line))
  const broken = lines[values.indexOf(undefined)]
  if (!broken) return values.map((found) => found?.value)
  if (wholeJson(lines.map(({ line }) => line).join('\n'))) return undefined
  throw unusable('generator', `has a line that cannot be read, line ${broken.number}`, broken.line)
}

function withoutFence(text: string): string {
  const fenced = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text)
  return fenced && !fenced[2]?.includes(fenced[1] ?? '```') ? `${fenced[2]}\n` : text
}
