// Patterns that match every text: an assertion with one cannot fail.

/** Texts with nothing in common, short enough for an engine that backtracks. */
const SHORT = ['a', '7', 'Hello, world!', 'ß 漢字\n😀', ' \t\r\n', '<b>&"\'', '#$%*+-.', '/\\|@^`', '~_=;:?', '()[]{}']
/** Longer than any repetition that a pattern may count. */
const LONG = 'q7 '.repeat(500)

/** True if the empty string, the probes and the words of the pattern itself all match. `test` takes linear time. */
export function matchesAnything(source: string, test: (text: string) => boolean): boolean {
  return test('') && [...SHORT, ...ownTexts(source), LONG].every((text) => test(text))
}

/** The same for JavaScript's engine, which has more ways to exclude something and may take long on a long text. */
export function matchesAnythingJs(expression: RegExp): boolean {
  const { source } = expression
  if (/\(\?<?!|\{/.test(source)) return false
  const own = ownTexts(source).filter((text) => text.length <= 12)
  return ['', ...SHORT, ...own].every((text) => expression.test(text))
}

/** What a pattern names may be what it excludes: `^(?:[^e]|e[^r])*$` does not match "er". */
function ownTexts(source: string): string[] {
  const words = [...new Set(source.match(/[\p{L}\p{N}]+/gu))].slice(0, 20)
  const pairs = words.flatMap((first) => words.map((second) => first + second))
  return [...words, ...pairs, words.join(''), words.join(' '), source]
}
