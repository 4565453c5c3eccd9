// Is the agent waiting for the user? Declared by it, shown by a tool it called, or inferred from its text. Pure.
import type { AgentReply } from '../../../model/agent.js'
import { spokenText } from './spoken-text.js'

export type AwaitingReason = 'agent_declared' | 'tool_requires_confirmation' | 'content_is_question' | 'completed'

export interface Awaiting {
  awaiting: boolean
  reason: AwaitingReason
  hint?: string
}

export const DEFAULT_AWAITING_TOOLS = ['request_confirmation', 'ask_user', 'get_user_input']

const COMPLETED: Awaiting = { awaiting: false, reason: 'completed' }
const ASKED: Awaiting = { awaiting: true, reason: 'content_is_question' }
const TOOL_ASKED: Awaiting = { awaiting: true, reason: 'tool_requires_confirmation' }

export function detectAwaiting(reply: AgentReply, awaitingTools: readonly string[]): Awaiting {
  const declared = declaration(reply)
  if (declared) return declared
  if (reply.tool_calls.some((call) => isAwaitingTool(call.name, awaitingTools))) return TOOL_ASKED
  if (reply.finish_reason === 'tool_calls' || reply.finish_reason === 'length') return COMPLETED
  return looksLikeQuestion(spokenText(reply)) ? ASKED : COMPLETED
}

/** A tool by which an agent asks need not exist: the call itself is what is meant. */
export function forgiveAwaitingTools(reply: AgentReply, awaitingTools: readonly string[]): void {
  for (const call of reply.tool_calls)
    if (call.no_such_tool && isAwaitingTool(call.name, awaitingTools)) delete call.no_such_tool
}

/** Only its words look like it. */
export function isGuess({ reason }: Awaiting): boolean {
  return reason === 'content_is_question'
}

function declaration(reply: AgentReply): Awaiting | undefined {
  // The usual answer is text that declares nothing.
  if (reply.awaiting_input === undefined && reply.next === undefined && typeof reply.content === 'string') return
  for (const said of [reply, reply.next, reply.content]) {
    if (typeof said !== 'object' || said === null) continue
    const { awaiting_input, input_hint } = said as { awaiting_input?: unknown; input_hint?: unknown }
    if (awaiting_input !== true) continue
    const hint = typeof input_hint === 'string' ? input_hint : reply.input_hint
    return { awaiting: true, reason: 'agent_declared', ...(hint === undefined ? {} : { hint }) }
  }
  return undefined
}

// Models see `server__tool`; some agents report `server.tool`.
function isAwaitingTool(name: string, awaitingTools: readonly string[]): boolean {
  return awaitingTools.some((tool) => name === tool || name.endsWith(`__${tool}`) || name.endsWith(`.${tool}`))
}

const QUESTION_MARKS = '?？؟;՞፧⁇⁈⁉⸮'
// What may follow the mark without being text: quotes, brackets, emphasis, emoji.
const TRAILING = /[\s"'”’»)\]}）】」』*_`~\p{Extended_Pictographic}\u{FE0F}\u{200D}]+$/u
const ENDS_IN_TEXT = /[a-z0-9.!?,:;]$/i
const OPENER = /^\W*(?:what|how|when|where|which|who|please|could you)\b/iu
const REQUEST = /^\W*(?:please|could you)\b/iu
const REQUEST_ANYWHERE = /please|could you/i
const ASKING_VERB = /(?:confirm|verify|proceed|continue)\?/i
// "Please let me know if you need more" ends a conversation; it asks for nothing.
const COURTESY =
  /^\W*please (?:let (?:me|us) know|feel free|contact|reach out|do not hesitate|don['’]t hesitate|note|find|see|be (?:aware|advised|patient)|allow|wait|keep in mind|remember|enjoy|visit|refer)\b/iu

export function looksLikeQuestion(text: string): boolean {
  const said = text.trim()
  if (said === '') return false
  const end = said.length > 200 ? said.slice(-200) : said
  const bare = ENDS_IN_TEXT.test(end) ? end : end.replace(TRAILING, '')
  if (QUESTION_MARKS.includes(bare.at(-1) ?? ' ')) return true
  if (ASKING_VERB.test(said)) return true
  if (OPENER.test(said) && !COURTESY.test(said)) return true
  if (!REQUEST_ANYWHERE.test(end)) return false
  const last = lastSentence(end)
  return REQUEST.test(last) && !COURTESY.test(last)
}

/** The sentence that asks, for "Agent asked: …": the last question, else the last sentence. */
export function questionAsked(text: string): string {
  const sentences = splitSentences(text)
  const asking = sentences.findLast((sentence) => looksLikeQuestion(sentence))
  return (asking ?? sentences.at(-1) ?? '').replace(/[.。]$/u, '')
}

function lastSentence(text: string): string {
  return splitSentences(text).at(-1) ?? ''
}

function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?؟])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
