// Markdown from data that must stay data: it must not yield a link, image, mention, tag or column.
import { visible } from '../../base/hidden.js'
import { clipField, heading } from './text.js'

// Letters, digits, spaces, pictures and punctuation that means nothing to Markdown.
const HARMLESS =
  /^(?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic} .,:;'"()/%+=?!_\u00d7\u2010-\u2027\u2190-\u2193\u3000-\u303f\uff01-\uff0f-]|\u200d)*$/u
// What begins a list, addresses that become links, words between underscores that become emphasis.
const MEANINGFUL = /^[-+](\s|$)|^-+$|^\d+[.)](\s|$)|:\/\/|www\.|(^|[^\p{L}\p{N}])_|_($|[^\p{L}\p{N}])|^\s|\s$/iu

/** One line of text: as it is if that is safe, else as a code span. */
export function inline(text: string, limit = 200): string {
  const line = heading(text, limit)
  return HARMLESS.test(line) && !MEANINGFUL.test(line) ? line : codeSpan(line)
}

/** A code span with more backticks around it than any inside; safe in a table too. */
export function codeSpan(line: string): string {
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  const padding = line.startsWith('`') || line.endsWith('`') || fence.length > 1 ? ' ' : ''
  return `${fence}${padding}${line}${padding}${fence}`
}

/** A cell of a table: a pipe ends a cell even inside a code span, unless it is escaped; a backslash before it must be too. */
export function cell(text: string, limit = 200): string {
  return inline(text, limit).replaceAll(/(\\*)\|/g, String.raw`$1$1\|`)
}

/** A block of text between fences longer than any inside. */
export function fenced(text: string, language = '', limit = 4_000): string {
  const body = clipField(visible(text), limit)
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return `${fence}${language}\n${body}${body.endsWith('\n') ? '' : '\n'}${fence}\n`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
