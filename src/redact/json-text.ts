// Rewrites the strings of a JSON text in place: layout, numbers and order stay the same, and it stays JSON.
import { LineMemory } from './line-memory.js'
import { isPasswordField } from './secret-names.js'

export interface JsonRedaction {
  /** For strings without a key before them. */
  text(text: string): string
  key(name: string): string
  field(name: string, text: string): string
}

interface Frame {
  array: boolean
  /** Of the field whose value comes next; items of an array get the array's. */
  name?: string
  /** Of the field whose value this object is. */
  owner?: string
  atKey: boolean
  /** Of a list. */
  memory?: LineMemory
  /** Keys as written out, kept only once one of them has changed, since two secrets may become the same key. */
  keys?: Set<string>
}

/** Runs of plain characters are taken in one step: megabytes of base64 would exhaust the stack one by one. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** `json` must be valid JSON. */
export function redactJsonText(json: string, redaction: JsonRedaction): string {
  const frames: Frame[] = [{ array: true, atKey: false }]
  return json.replace(TOKEN, (token) => {
    const frame = frames[frames.length - 1]
    if (!frame) return token
    switch (token) {
      case '{':
        frames.push(
          frame.name === undefined ? { array: false, atKey: true } : { array: false, owner: frame.name, atKey: true },
        )
        return token
      case '[':
        frames.push(
          frame.name === undefined ? { array: true, atKey: false } : { array: true, name: frame.name, atKey: false },
        )
        return token
      case '}':
      case ']':
        frames.pop()
        return token
      case ',':
        frame.atKey = !frame.array
        return token
      case ':':
        frame.atKey = false
        return token
    }
    if (!token.startsWith('"')) return isSecretNumber(token, frame) ? '"[SECRET]"' : token
    const text = JSON.parse(token) as string
    const result = frame.atKey ? redactKey(text, frame, redaction) : redactValue(text, frame, redaction)
    return result === text ? token : JSON.stringify(result)
  })
}

/** What a schema or a comparison says about a field is as secret as the field: `"password": {"const": "…"}`. */
const STANDS_FOR_OWNER = new Set(['const', 'enum', 'default', 'examples', 'value', '$eq', '$ne', '$in', '$nin'])

function redactKey(key: string, frame: Frame, redaction: JsonRedaction): string {
  frame.name = frame.owner !== undefined && STANDS_FOR_OWNER.has(key) ? frame.owner : key
  const result = redaction.key(key)
  if (result === key) return key
  frame.keys ??= new Set()
  let unique = result
  for (let count = 2; frame.keys.has(unique); count++) unique = `${result}-${count}`
  frame.keys.add(unique)
  return unique
}

function redactValue(text: string, frame: Frame, redaction: JsonRedaction): string {
  const { name } = frame
  const redact = (part: string): string => (name === undefined ? redaction.text(part) : redaction.field(name, part))
  if (!frame.array) return redact(text)
  frame.memory ??= new LineMemory()
  return frame.memory.next(text, redact)
}

function isSecretNumber(token: string, { name }: Frame): boolean {
  return /^-?[0-9]{4}/.test(token) && name !== undefined && isPasswordField(name)
}
