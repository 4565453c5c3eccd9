// `$L("key")` and `$L("Hello {{key}}")`: the agent's words in the language of the conversation.
import { ask } from './sync-call.js'

const known = new Map<string, Record<string, unknown>>()

export function translate(text: string, assistantId: string, locale: string): string {
  const words = wordsOf(assistantId, locale)
  const direct = words[text.replace(/^::/, '').trim()]
  if (typeof direct === 'string') return direct
  return text.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, key: string) =>
    typeof words[key] === 'string' ? words[key] : whole,
  )
}

function wordsOf(assistantId: string, locale: string): Record<string, unknown> {
  const key = `${assistantId}\n${locale}`
  let words = known.get(key)
  if (!words) {
    words = (ask('messages', [assistantId, locale]) as Record<string, unknown> | null) ?? {}
    known.set(key, words)
  }
  return words
}
