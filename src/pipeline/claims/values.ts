// The values that a text names: amounts, dates, ids, files, addresses, quotations, each with its place.
import { datesIn } from './dates.js'
import { idsIn } from './ids.js'
import type { Language } from './languages/language.js'
import { amountsIn } from './amounts.js'
import { blanked } from './text.js'
import type { Name, Place, PlacedValue } from './value.js'

/** In the order of the text, none inside another. */
export function valuesIn(text: string, language: Language): PlacedValue[] {
  // Most texts of a result name nothing.
  if (!/[\d"“@./]|\p{Lu}{5}/u.test(text)) return []
  const found: PlacedValue[] = []
  let rest = withoutFences(text)
  const take = (values: PlacedValue[]): void => {
    for (const each of values) found.push(each)
    rest = blanked(rest, values)
  }
  take(named(rest, URL_PATTERN, 'url', (name) => name.replace(/[.,;:!?]+$/, '')))
  take(named(rest, EMAIL, 'id'))
  take(named(rest, FILE, 'file').filter(({ name }) => !/^[A-Z][a-z]+\.js$/.test(name)))
  // What is quoted may hold other values.
  for (const each of quotesIn(text)) found.push(each)
  take(datesIn(rest, language))
  take(idsIn(rest, language))
  take(amountsIn(rest, language))
  return found.toSorted((a, b) => a.start - b.start)
}

const URL_PATTERN = /\b(?:https?:\/\/|www\.)[^\s<>()"'`\]*]+/g
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const EXTENSIONS =
  'txt|md|json|jsonl|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|cpp|hpp|cs|php|sh|sql|csv|tsv|xlsx?|docx?|pptx?|pdf|png|jpe?g|gif|svg|webp|zip|tar|gz|log|ini|cfg|conf|lock|ipynb|db|sqlite|mp3|mp4|wav'
const FILE = new RegExp(`(?<![\\w/.-])(?:[\\w.~-]*/)*[\\w-][\\w.-]*\\.(?:${EXTENSIONS})(?![\\w/-]|\\.\\w)`, 'g')

function named(
  text: string,
  pattern: RegExp,
  kind: Name['kind'],
  trim: (name: string) => string = (name) => name,
): Array<Name & Place> {
  return [...text.matchAll(pattern)].map((match) => {
    const name = trim(match[0])
    return { kind, name, start: match.index, end: match.index + name.length }
  })
}

/** Of four words and more: shorter ones are labels and words that are spoken of. */
function quotesIn(text: string): Array<Name & Place> {
  return [...text.matchAll(/["“]([^"“”\n]*)["”]/g)].flatMap((match) => {
    const name = match[1] ?? ''
    if (name.length > 400 || name.trim().split(/\s+/).length < 4) return []
    return [{ kind: 'quote' as const, name, start: match.index, end: match.index + match[0].length }]
  })
}

/** Code in a block is an example or a result, not a statement; what has no end is no word, and must not take long. */
export function withoutFences(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, (block) => ' '.repeat(block.length))
    .replaceAll(/\S{400,}/g, (run) => ' '.repeat(run.length))
}
