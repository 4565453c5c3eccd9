// Tool calls in a program's output that is not read as a reply: followed by text, cut off, coloured, in a fence.
import { stripVTControlCharacters } from 'node:util'
import { closingBracket } from '../../base/json/closing-bracket.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { AgentError } from '../../errors.js'
import { parseStructure } from './parse-structure.js'

/** Throws AgentError: a dropped call would look as if it had never been made. `text` is what was not read. */
export function requireNoToolCalls(text: string): void {
  // Most answers contain no such word, and may be long.
  if (!/tool_?calls/i.test(text)) return
  const plain = unfenced(stripVTControlCharacters(text).trim())
  const found = REPLY.test(plain) ? plain : linesOutsideFences(plain).find(isReplyWithCalls)
  if (found === undefined) return
  throw new AgentError({
    code: 'bad_response',
    message: `the output contains tool calls, but cannot be read as a reply: ${show(found)}`,
    hint: 'print the reply as JSON on the last line, without colours or a fence, and everything else before it or to standard error',
    retry: false,
  })
}

/** Throws AgentError: half a reply, taken for prose, would say less than the agent did. */
export function requireNoCutReply(text: string): void {
  if (!/^\s*\{\s*"content"\s*:/.test(text) || closingBracket(text, text.indexOf('{')) !== undefined) return
  throw new AgentError({
    code: 'bad_response',
    message: `the output begins like a reply, but is not complete JSON: ${show(text.trim())}`,
    hint: 'print the whole reply as one JSON object, or plain text',
    retry: false,
  })
}

/** How our form of a reply begins. */
const REPLY = /^\{\s*["'](?:content|tool_?calls)["']\s*:[^]*["']tool_?calls["']\s*:\s*\[\s*[^\s\]]/i

/** A reply, or a piece of a stream that makes calls. */
function isReplyWithCalls(line: string): boolean {
  return holdsCalls(parseStructure(line.replace(/^data:/, ''))?.value)
}

function holdsCalls(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsCalls)
  if (!isRecord(value)) return false
  const calls = value['tool_calls'] ?? value['toolCalls']
  if (Array.isArray(calls) && calls.length > 0) return true
  return ['choices', 'delta', 'message'].some((name) => holdsCalls(value[name]))
}

function unfenced(text: string): string {
  return /^```\w*\r?\n([^]*)\n```$/.exec(text)?.[1]?.trim() ?? text
}

/** What an answer shows in a fence is an example. */
function linesOutsideFences(text: string): string[] {
  let isInside = false
  return text.split('\n').filter((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isInside = !isInside
    return !isInside
  })
}
