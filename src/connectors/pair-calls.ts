// The tool calls of a history in one form, each with an id of its own and a result right after it: every provider
// requires it.
import type { Message, ToolCall } from '../model/message.js'
import { isRecord, readNonEmpty } from '../base/record.js'
import { normalizeToolCalls } from './tool-calls.js'

/** Authors write calls as in the API, as `{name, arguments}` or `{name, args}`, with ids or without. */
export function pairCalls(messages: readonly Message[]): Message[] {
  if (!messages.some(isAboutCalls)) return [...messages]
  const paired: Message[] = []
  const ids = new Set<string>()
  let open: OpenCall[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const answered = takeCall(open, message)
      paired.push(answered ? withResult(message, answered) : message)
      continue
    }
    paired.push(...open.map(missingResult))
    open = hasCalls(message) ? openCalls(message.tool_calls, index, ids) : []
    paired.push(hasCalls(message) ? { ...message, tool_calls: open.map(({ call }) => call) } : message)
  }
  paired.push(...open.map(missingResult))
  return paired
}

/** Says something about tools, so that a provider may refuse it as it is. */
export function isAboutCalls(message: Message): boolean {
  return message.role === 'tool' || message.tool_calls !== undefined
}

const NO_RESULT = '(no result was reported)'

/** A call whose result has not been seen yet. */
interface OpenCall {
  call: ToolCall & { id: string }
  /** Its id in the history, before it was made unique. */
  writtenId: string | undefined
  /** Spelled as Viva records calls: with its result, if that is known. */
  isRecorded: boolean
}

function hasCalls(message: Message): boolean {
  return message.tool_calls !== undefined && message.tool_calls !== null
}

function openCalls(written: unknown, index: number, ids: Set<string>): OpenCall[] {
  return normalizeToolCalls(written).map((call, position) => {
    const writtenId = readNonEmpty(call.id)
    const id = unusedId(writtenId ?? `call_${index}_${position}`, ids)
    const source: unknown = Array.isArray(written) ? written[position] : undefined
    return { call: { ...call, id }, writtenId, isRecorded: isRecord(source) && 'args' in source }
  })
}

function unusedId(wanted: string, ids: Set<string>): string {
  let id = wanted
  for (let count = 2; ids.has(id); count++) id = `${wanted}_${count}`
  ids.add(id)
  return id
}

/** By id, else by name, else the first; a call with another id is not meant. */
function takeCall(open: OpenCall[], { tool_call_id, name }: Message): OpenCall | undefined {
  const id = readNonEmpty(tool_call_id)
  const found =
    open.find(({ writtenId }) => writtenId !== undefined && writtenId === id) ??
    open.find(({ writtenId, call }) => (id === undefined || writtenId === undefined) && call.name === name) ??
    open.find(({ writtenId }) => id === undefined || writtenId === undefined)
  if (found) open.splice(open.indexOf(found), 1)
  return found
}

/** Conversations keep a missing result as `null`. */
function withResult(message: Message, { call, isRecorded }: OpenCall): Message {
  const isMissing = isRecorded && message.content === 'null' && call.result === undefined && call.error === undefined
  return { ...message, tool_call_id: call.id, ...(isMissing && { content: NO_RESULT }) }
}

function missingResult({ call }: OpenCall): Message {
  return { role: 'tool', name: call.name, tool_call_id: call.id, content: resultText(call) }
}

function resultText({ result, error }: ToolCall): string {
  if (error !== undefined) return error
  if (result === undefined) return NO_RESULT
  return typeof result === 'string' ? result : JSON.stringify(result)
}
