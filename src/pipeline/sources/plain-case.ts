// The fast path for the usual case. True only for what `checkCase` would accept without a warning (a property test keeps
// the two in step); everything else goes through the schema, which need not be loaded until then.
import { isFreeKey } from '../../model/free-key.js'
import { ROLES } from '../../model/message.js'
import { parseDuration } from '../../base/duration.js'
import { isRecord } from '../../base/record.js'

/** `tolerated`: unknown keys the user has already been warned about. */
export function isPlainCase(raw: Record<string, unknown>, tolerated: ReadonlySet<string>): boolean {
  let hasId = false
  let hasInput = false
  let hasAssertions = false
  let hasTurns = false
  let hasOther = false
  for (const key of Object.keys(raw)) {
    const value = raw[key]
    switch (key) {
      case 'id':
        hasId = typeof value === 'string' && isPlainId(value)
        if (!hasId) return false
        break
      case 'input':
      case 'messages':
        if (hasInput || !(key === 'input' ? isPlainInput(value) : isPlainHistory(value))) return false
        hasInput = true
        break
      case 'assert':
      case 'assertions':
        if (hasAssertions || !arePlainAssertions(value)) return false
        hasAssertions = true
        break
      case 'expected':
        break
      case 'type':
        if (value !== 'single_turn' && value !== 'multi_turn') return false
        break
      case 'workspace':
        return false
      case 'name':
      case 'user':
      case 'team':
      case 'skip_reason':
      case 'before':
      case 'after':
        if (typeof value !== 'string') return false
        break
      case 'skip':
        if (typeof value !== 'boolean') return false
        break
      case 'tags':
        if (!Array.isArray(value) || !value.every((tag) => typeof tag === 'string')) return false
        break
      case 'metadata':
        if (!isRecord(value)) return false
        break
      case 'options':
        if (!arePlainOptions(value)) return false
        break
      case 'turns':
        hasTurns = arePlainTurns(value)
        if (!hasTurns) return false
        break
      case 'timeout':
      case 'turn_timeout':
        if (typeof value !== 'string' || !isDuration(value)) return false
        break
      default:
        if (isFreeKey(key)) break
        if (!tolerated.has(key)) return false
        hasOther = true
    }
  }
  // The rules report that it is not compared if there are assertions.
  if (hasAssertions && raw['expected'] !== undefined) return false
  // What is tolerated beside assertions is not tolerated without them.
  if (hasOther && !hasAssertions && raw['expected'] === undefined) return false
  return hasId && hasInput !== hasTurns
}

const ASCII_ID = /^[!-~](?:[ -~]*[!-~])?$/
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u

function isPlainId(id: string): boolean {
  return ASCII_ID.test(id) || (id !== '' && id === id.trim() && !UNPRINTABLE.test(id))
}

function isPlainInput(value: unknown): boolean {
  return typeof value === 'string' || (isRecord(value) && isPlainMessage(value)) || isPlainHistory(value)
}

function isPlainHistory(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isRecord(item) && isPlainMessage(item))
}

const KNOWN_ROLES = new Set<unknown>(ROLES)

function isPlainMessage(message: Record<string, unknown>): boolean {
  for (const key of Object.keys(message)) {
    if (key === 'content') {
      if (typeof message[key] !== 'string') return false
    } else if (key !== 'role' || !KNOWN_ROLES.has(message[key])) return false
  }
  return message['content'] !== undefined
}

function arePlainAssertions(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isPlainAssertion)
  return isPlainAssertion(value)
}

function isPlainAssertion(value: unknown): boolean {
  if (typeof value === 'string') return value !== 'snapshot'
  if (!isRecord(value)) return false
  for (const key of Object.keys(value)) {
    const field = value[key]
    if (key === 'type' || key === 'path' || key === 'message' || key === 'label') {
      // Snapshots are distinguished by their names, which the rules check; they may be members of a group.
      if (typeof field !== 'string' || field === 'snapshot') return false
    } else if (key === 'assertions') return false
    else if (key === 'negate' && typeof field !== 'boolean') return false
    else if (key === 'weight') return false
  }
  return true
}

function arePlainOptions(value: unknown): boolean {
  if (!isRecord(value)) return false
  for (const key of Object.keys(value)) {
    if (key === 'connector' || key === 'mode') {
      if (typeof value[key] !== 'string') return false
    } else if (key === 'metadata') {
      if (!isRecord(value[key])) return false
    } else return false
  }
  return true
}

/** A first turn without input is a question for the rules. */
function arePlainTurns(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isPlainTurn)
}

function isPlainTurn(turn: unknown): boolean {
  if (!isRecord(turn) || !isPlainInput(turn['input'])) return false
  let hasAssertions = false
  for (const key of Object.keys(turn)) {
    if (key === 'input') continue
    if (key === 'options' && arePlainOptions(turn[key])) continue
    if ((key === 'assert' || key === 'assertions') && !hasAssertions && arePlainAssertions(turn[key]))
      hasAssertions = true
    else return false
  }
  return true
}

function isDuration(text: string): boolean {
  try {
    return parseDuration(text) > 0
  } catch {
    return false
  }
}
