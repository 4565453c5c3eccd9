// Rewrites the strings of a JSON text in place: layout, numbers and order stay as they were, and it stays JSON.
import { isPasswordField, isSecretField } from './secret-names.js'

export interface JsonRedaction {
  /** For keys and for values of ordinary fields. */
  text(text: string): string
  /** For values of fields whose name says "secret". */
  secret(text: string): string
}

interface Frame {
  array: boolean
  /** The field whose value comes next is a secret one; for arrays: all items are. */
  secret: boolean
  password: boolean
  atKey: boolean
  /** Keys as written out, kept only once one of them was changed, since two secrets may become the same key. */
  keys?: Set<string>
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** `json` must be valid JSON. */
export function redactJsonText(json: string, redaction: JsonRedaction): string {
  const frames: Frame[] = [{ array: true, secret: false, password: false, atKey: false }]
  return json.replace(TOKEN, (token) => {
    const frame = frames[frames.length - 1]
    if (!frame) return token
    switch (token) {
      case '{':
        frames.push({ array: false, secret: false, password: false, atKey: true })
        return token
      case '[':
        frames.push({ array: true, secret: frame.secret, password: frame.password, atKey: false })
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
    if (!token.startsWith('"')) return frame.secret && frame.password && isLongNumber(token) ? '"[SECRET]"' : token
    const text = JSON.parse(token) as string
    const result = frame.atKey ? redactKey(text, frame, redaction) : redactValue(text, frame, redaction)
    return result === text ? token : JSON.stringify(result)
  })
}

function redactKey(key: string, frame: Frame, redaction: JsonRedaction): string {
  frame.secret = isSecretField(key)
  frame.password = frame.secret && isPasswordField(key)
  const result = redaction.text(key)
  if (result === key) return key
  frame.keys ??= new Set()
  let unique = result
  for (let count = 2; frame.keys.has(unique); count++) unique = `${result}-${count}`
  frame.keys.add(unique)
  return unique
}

function redactValue(text: string, frame: Frame, redaction: JsonRedaction): string {
  return frame.secret ? redaction.secret(text) : redaction.text(text)
}

function isLongNumber(token: string): boolean {
  return /^-?[0-9]{4}/.test(token)
}
