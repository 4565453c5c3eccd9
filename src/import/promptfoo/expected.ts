// Strings that represent assertions and lists of values in tables: "contains-any: a, b", "icontains: x".

export interface WrittenAssertion {
  type: string
  value?: unknown
  threshold?: number
  [field: string]: unknown
}

const SHORT = /^(?:not-)?[a-z][a-z0-9:-]*$/
/** Types for which the table's own default of a threshold differs from the type's. */
const WITH_THRESHOLD = new Set([
  'answer-relevance',
  'classifier',
  'context-faithfulness',
  'context-recall',
  'context-relevance',
  'cost',
  'latency',
  'levenshtein',
  'perplexity-score',
  'perplexity',
  'rouge-n',
  'similar',
])

/** A cell of a column `__expected`. `isType`: whether the word is the name of an assertion. */
export function assertionOfCell(cell: string, isType: (name: string) => boolean): WrittenAssertion {
  const text = cell.trim()
  const [, prefix, rest = ''] = /^(javascript|fn|eval|grade|llm-rubric|python):([\s\S]*)$/.exec(text) ?? []
  if (prefix === 'javascript' || prefix === 'fn' || prefix === 'eval') return { type: 'javascript', value: rest.trim() }
  if (prefix === 'grade' || prefix === 'llm-rubric') return { type: 'llm-rubric', value: rest }
  if (prefix === 'python') return { type: 'python', value: rest.trim() }
  if (text.startsWith('file://')) return { type: /\.py(?::|$)/.test(text) ? 'python' : 'javascript', value: text }
  const [, name, limit, value] = /^([a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(text) ?? []
  const base = name?.replace(/^not-/, '')
  if (name === undefined || base === undefined || !SHORT.test(name) || !isType(base))
    return { type: 'equals', value: text }
  const threshold = limit === undefined ? undefined : Number(limit)
  const given = value === undefined ? {} : { value: /^(?:contains|is)-json$/.test(base) ? value : value.trim() }
  if (/^i?contains-a/.test(base)) return { type: name, value: value === undefined ? undefined : splitValues(value) }
  if (!WITH_THRESHOLD.has(base)) return { type: name, ...given }
  return { type: name, ...given, threshold: threshold ?? (base === 'similar' ? 0.8 : 0.75) }
}

/** Values separated by commas; one in quotes may contain commas. Undefined if a quote is never closed. */
export function splitValues(text: string): string[] | undefined {
  const values: string[] = []
  let at = 0
  while (at < text.length) {
    const [skipped] = /^[\s,]*/.exec(text.slice(at)) ?? ['']
    at += skipped.length
    if (at >= text.length) break
    const rest = text.slice(at)
    const quoted = /^"((?:\\["\\]|""|[^"])*)"\s*(?=,|$)/.exec(rest)
    if (quoted) {
      values.push((quoted[1] ?? '').replaceAll(/\\(["\\])|"(")/g, '$1$2'))
      at += quoted[0].length
    } else if (rest.startsWith('"')) return undefined
    else {
      const [plain] = /^[^,]*/.exec(rest) ?? ['']
      values.push(plain.trim())
      at += plain.length
    }
  }
  return values
}
