// What came out of an agent's process → messages. The agent shares that process: nothing in them is taken on trust.
import { isRecord, isStrings } from '../../base/record.js'
import { ForgedLineError } from '../../process/sealed-lines.js'
import type { ChildMessage } from './protocol.js'

export function readMessages(line: unknown): ChildMessage[] {
  if (!Array.isArray(line)) throw new ForgedLineError('a line that is not a list')
  return line.map(readMessage)
}

function readMessage(message: unknown): ChildMessage {
  if (!isRecord(message) || typeof message['id'] !== 'number') throw new ForgedLineError('a message without an id')
  const { k, value } = message
  if (!isWellFormed(k, value)) throw new ForgedLineError(`a message of the kind ${JSON.stringify(k)}`)
  return message as unknown as ChildMessage
}

function isWellFormed(k: unknown, value: unknown): boolean {
  switch (k) {
    case 'loaded':
      return Array.isArray(value) && value.every(isExport)
    case 'log':
      return isStrings(value)
    case 'refused':
    case 'chunk':
    case 'stray':
      return typeof value === 'string'
    case 'heard':
      return true
    case 'reply':
      return isRecord(value) && Array.isArray(value['tool_calls']) && value['tool_calls'].every(isToolCall)
    case 'error':
      return isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string'
    default:
      return false
  }
}

function isExport(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['kind'] === 'string'
}

function isToolCall(call: unknown): boolean {
  return isRecord(call) && typeof call['name'] === 'string'
}
