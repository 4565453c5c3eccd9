// Operators on text: patterns, and texts that are the same but for what is to be ignored.
import { isRecord, isStrings } from '../../../base/record.js'
import { compilePattern, isCutForSearch, PatternError } from '../../../base/regex.js'
import { MatcherError, type Outcome } from './matcher.js'

/** Numbers are read as text; of other values a pattern says nothing. */
export function patternTest(source: string, path: string): (actual: unknown) => Outcome {
  try {
    const pattern = compilePattern(source)
    return (actual) => {
      if (typeof actual !== 'string' && typeof actual !== 'number') return 'unknown'
      const text = String(actual)
      if (pattern.test(text)) return 'yes'
      return isCutForSearch(text) ? 'unknown' : 'no'
    }
  } catch (error) {
    if (error instanceof PatternError) throw new MatcherError(path, `invalid regex pattern: ${error.message}`)
    throw error
  }
}

/** `{value, ignore: ["case", "space", "punctuation", "-"]}` */
export function textTest(operand: unknown, path: string): (actual: unknown) => Outcome {
  if (!isRecord(operand) || typeof operand['value'] !== 'string' || !isStrings(operand['ignore']))
    throw new MatcherError(path, `$text needs {"value": "…", "ignore": ["case", "space", "punctuation"]}`)
  const other = Object.keys(operand).find((key) => key !== 'value' && key !== 'ignore')
  if (other !== undefined) throw new MatcherError(path, `$text has no field "${other}": it takes value and ignore`)
  const normalize = normalizer(operand['ignore'], path)
  const wanted = normalize(operand['value'])
  if (wanted === '')
    throw new MatcherError(path, '$text: nothing is left of the value once it ignores this: it would match anything')
  return (actual) => {
    if (typeof actual !== 'string') return 'unknown'
    return normalize(actual) === wanted ? 'yes' : 'no'
  }
}

const CLASSES: Record<string, string> = { space: '\\s', punctuation: '\\p{P}' }

function normalizer(ignore: string[], path: string): (text: string) => string {
  if (ignore.length === 0) throw new MatcherError(path, '$text: ignore is empty: compare with the text itself instead')
  const dropped = ignore
    .filter((name) => name !== 'case')
    .map((name) => {
      const known = CLASSES[name]
      if (known !== undefined) return known
      if (/^.$/su.test(name)) return name.replace(/[\\\]^-]/, '\\$&')
      throw new MatcherError(
        path,
        `$text: ignore has case, space, punctuation and single characters, not ${JSON.stringify(name)}`,
      )
    })
  const drop = dropped.length === 0 ? undefined : new RegExp(`[${dropped.join('')}]`, 'gu')
  const isFolded = ignore.includes('case')
  return (text) => {
    const kept = drop ? text.normalize('NFC').replaceAll(drop, '') : text.normalize('NFC')
    return isFolded ? kept.toLowerCase() : kept
  }
}
