// `regex`: the answer, as text, matches a pattern.
import * as v from 'valibot'
import { isCutForSearch, searchedPart } from '../../../base/regex.js'
import { nearestPart } from '../text-diff.js'
import { abridged, asText, show } from '../../../base/text.js'
import { defineAssertion, SpecError, type Verdict } from '../define-assertion.js'
import { onAnswer } from '../on-answer.js'
import { requireJsPattern, requirePattern } from '../patterns.js'

const pattern = v.optional(v.string('regex pattern must be a string'))

export const regex = defineAssertion({
  type: 'regex',
  summary: 'The answer matches a pattern, in Go (RE2) or JavaScript syntax; "engine": "js" for look-around',
  example: { type: 'regex', value: '\\d{3}-\\d{4}' },
  on: 'answer',
  schema: v.object({ value: pattern, pattern, engine: v.optional(v.picklist(['re2', 'js'])) }),

  compile(spec, context) {
    const name = spec.value === undefined ? 'pattern' : 'value'
    const field = `${context.field}.${name}`
    if (spec.value !== undefined && spec.pattern !== undefined) {
      throw new SpecError(field, 'give value or pattern, not both')
    }
    const source = spec.value ?? spec.pattern
    if (source === undefined) throw new SpecError(`${context.field}.value`, 'is missing: the pattern to match')
    if (source === '') throw new SpecError(field, 'must not be empty: everything matches the empty pattern')
    const flagged = withoutSlashes(source)
    if (flagged !== undefined) {
      context.doubt(
        field,
        `the slashes are part of the pattern, and the flags as well: if they are not, write ${flagged}`,
      )
    }
    const refutable = spec.path !== undefined || spec.negate === true
    if (spec.engine === 'js') {
      const js = requireJsPattern(source, field, refutable)
      return onAnswer(
        spec,
        context,
        async (answer, _evidence, services) => {
          const search = (text: string) => services.search(js, searchedPart(text))
          const verdict = verdictOf(await search(asText(answer)), source, answer)
          if (verdict.passed) return verdict
          for (const text of textsIn(answer)) if (await search(text)) return matchesInside(verdict, text)
          return verdict
        },
        { several: 'each' },
      )
    }
    const re2 = requirePattern(source, field, refutable)
    return onAnswer(
      spec,
      context,
      (answer) => {
        const verdict = verdictOf(re2.test(asText(answer)), source, answer)
        if (verdict.passed) return verdict
        const text = textsIn(answer).find((each) => re2.test(each))
        return text === undefined ? verdict : matchesInside(verdict, text)
      },
      { several: 'each' },
    )
  },
})

/** What `/error/gi` would be here; undefined for any other pattern. */
function withoutSlashes(source: string): string | undefined {
  const [, pattern, flags = ''] = /^\/(.+)\/([dgimsuvy]{1,4})$/.exec(source) ?? []
  const kept = flags.replaceAll(/[^ims]/g, '')
  return pattern === undefined ? undefined : `${kept === '' ? '' : `(?${kept})`}${pattern}`
}

/** The texts in structured data. Its JSON text has escapes where they have quotes and line breaks. */
function textsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([key, item]) => [
    ...(Array.isArray(answer) ? [] : [key]),
    ...(typeof item === 'string' ? [item] : textsIn(item)),
  ])
}

function matchesInside(verdict: Verdict, text: string): Verdict {
  return {
    ...verdict,
    absent: `the pattern does not match the JSON text, but it matches a string in it: ${show(text)}`,
  }
}

export function verdictOf(matched: boolean, source: string, answer: unknown, subject = 'output'): Verdict {
  if (matched) return { passed: true }
  const text = asText(answer)
  const cut = isCutForSearch(text) ? `only the first 1 MB of ${text.length} characters was searched` : undefined
  return {
    passed: false,
    get message() {
      const near = nearestPart(longestLiteral(source), text)
      const notes = [near === undefined ? '' : `; nearest: ${show(near)}`, cut === undefined ? '' : ` (${cut})`]
      return `${subject} does not match pattern ${source}${notes.join('')}`
    },
    expected: source,
    actual: abridged(answer ?? null),
    ...(cut !== undefined && { incomplete: cut }),
  }
}

/** The longest run of plain characters in a pattern: what to look for when the whole does not match. */
function longestLiteral(source: string): string {
  const runs = source.replace(/^\(\?[a-z]+\)/i, '').split(/\\.|\[[^\]]*\]|[.^$|?*+(){}]|\{[\d,]+\}/)
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest.trim().length >= 3 ? longest : ''
}
