// A response of the Responses API → a completion: what its items say, what they call, and how it ended.
import type { Completion } from '../model/connector.js'
import type { ToolCall } from '../model/message.js'
import { defined } from '../base/defined.js'
import { isRecord, readNonEmpty } from '../base/record.js'
import { show } from '../base/text.js'
import type { FinishReasons } from './finish-reason.js'
import { contentText, refusalIn } from './message-text.js'
import { badEnding, requireEnding } from './require-ending.js'
import { responseCalls } from './response-calls.js'
import { normalizeUsage } from './usage.js'

type Item = Record<string, unknown>

export function readResponse(body: unknown, own: FinishReasons | undefined): Completion | string {
  if (!isRecord(body) || !Array.isArray(body['output'])) return 'no output in it'
  return endResponse(body, body['output'].filter(isRecord), own)
}

/** Throws AgentError unless it ended as its protocol says that answers end. */
export function endResponse(response: Item, items: Item[], own: FinishReasons | undefined): Completion {
  const said = readItems(items)
  const completion: Completion = { ...said, ...defined({ usage: normalizeUsage(response['usage']) }) }
  const word = endingOf(response)
  if (word === undefined) throw badEnding('no status', { ...completion, finish_reason: 'none' })
  const read = requireEnding('openai-responses', word, completion, own)
  const cut = read === 'stop' && items.find(({ status }) => status === 'incomplete')
  if (cut) throw badEnding(`an item of type ${show(cut['type'])} is incomplete`, { ...completion, finish_reason: word })
  if (completion.refusal) return { ...completion, finish_reason: 'refusal' }
  const isCalling = read === 'stop' && completion.tool_calls.some(isOpen)
  return { ...completion, finish_reason: isCalling ? 'tool_calls' : read }
}

/** Of answers that are not complete, too. */
export function readItems(items: Item[]): Completion & { refusal: boolean } {
  const messages = items.filter(isAnswer)
  const texts = messages.map(({ content }) => contentText(content)).filter((text) => text !== '')
  const refusal = messages.map(refusalIn).find((each) => each !== undefined)
  const isReasoned = items.some(({ type }) => type === 'reasoning')
  return {
    content: texts.length > 0 ? texts.join(BETWEEN) : (refusal ?? ''),
    tool_calls: items.flatMap(callsIn),
    refusal: refusal !== undefined,
    ...(isReasoned && { reasoning: items }),
  }
}

/** Some gateways repeat what was asked. */
function isAnswer({ type, role = 'assistant' }: Item): boolean {
  return type === 'message' && role === 'assistant'
}

/** What a model makes, as opposed to instructions and results. */
export function isMade(item: Item): boolean {
  return item['type'] === 'reasoning' || isAnswer(item) || String(item['type']).endsWith('_call')
}

/** Between what is said before and after something else. */
export const BETWEEN = '\n\n'

/** Tools that OpenAI runs itself. */
const HOSTED = /^(?:web_search|file_search|code_interpreter|image_generation|mcp)_call$/

function callsIn(item: Item): ToolCall[] {
  const calls = responseCalls(item)
  if (!HOSTED.test(String(item['type']))) return calls
  return calls.map((call) => (isOpen(call) ? { ...call, result: item['status'] ?? null } : call))
}

function isOpen({ result, error }: ToolCall): boolean {
  return result === undefined && error === undefined
}

/** Its status, or why it is incomplete. */
function endingOf({ status, incomplete_details: details }: Item): string | undefined {
  const word = readNonEmpty(status)
  if (word !== 'incomplete') return word
  return (isRecord(details) ? readNonEmpty(details['reason']) : undefined) ?? word
}
