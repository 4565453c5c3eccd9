// A command line as a person writes it → words. No shell is involved: `|`, `&&`, `$X` and backticks are plain text.
import { UserError } from '../errors.js'

export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote: '"' | "'" | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote === "'") {
      if (char === "'") quote = undefined
      else word += char
    } else if (quote === '"') {
      const next = text.charAt(at + 1)
      if (char === '"') quote = undefined
      else if (char === '\\' && (next === '"' || next === '\\')) word += text.charAt(++at)
      else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\' && at + 1 < text.length) {
      word = (word ?? '') + text.charAt(++at)
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote) throw unclosedQuote(text, quote)
  if (word !== undefined) words.push(word)
  return words
}

function unclosedQuote(text: string, quote: string): UserError {
  return new UserError({
    code: 'UNCLOSED_QUOTE',
    message: `the command has an opening ${quote} without a closing one: ${text}`,
    hint: `close the quote, or write \\${quote} for the character itself`,
  })
}
