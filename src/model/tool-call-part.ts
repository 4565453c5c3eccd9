// `call` in a case: a tool that is called directly, as a content part like any other input.
import { isRecord } from '../base/record.js'
import type { ContentPart, Message } from './message.js'

export interface CallPart extends ContentPart {
  type: 'call'
  tool: string
  arguments: Record<string, unknown>
  /** The call in words: `find({"word":"milk"})`. */
  text: string
}

export interface WrittenCall {
  tool: string
  arguments?: Record<string, unknown>
}

export function callMessage({ tool, arguments: args = {} }: WrittenCall): Message {
  const part: CallPart = { type: 'call', tool, arguments: args, text: `${tool}(${JSON.stringify(args)})` }
  return { role: 'user', content: [part] }
}

/** The call that a message consists of. */
export function callIn(message: Message | undefined): CallPart | undefined {
  const parts = isRecord(message) && Array.isArray(message.content) ? message.content : []
  const [part, ...others] = parts
  return part?.type === 'call' && others.length === 0 && isRecord(part['arguments']) ? (part as CallPart) : undefined
}

/** Whether an input ends in a call: its answer is a result, not what a model says beside its calls. */
export function isCallInput(input: unknown): boolean {
  return typeof input === 'object' && callIn([input].flat().at(-1) as Message | undefined) !== undefined
}
