// Applies one row of the rule table to a text; expressions are compiled on first use.
import { SECRET_RULES, type SecretRule } from './rules.js'

/** A colour may be spelled out, or lack its first character: `\x1b[31m`. */
const WORD_START = String.raw`(^|[^A-Za-z0-9_]|\x1b\[[0-9;]*m|(?:\\(?:x1b|u001b|u\{1b\}|033|e))?\[[0-9;]+m|\\[nrtu"])`

const patterns: RegExp[] = []
const hints: RegExp[] = []

/** `found` receives what was hidden. */
export function applyRule(index: number, text: string, found: (secret: string) => void): string {
  const rule = SECRET_RULES[index]
  if (!rule) return text
  if (rule.replace) return rule.replace(text, found)
  const pattern = (patterns[index] ??= compile(rule))
  return text.replace(pattern, (match: string, ...groups: unknown[]) => {
    const keeps = rule.word === true || rule.keep === true
    const kept = keeps ? String(groups[0]) : ''
    const secret = keeps ? String(groups[1]) : match
    if (rule.needs?.(secret) === false) return match
    found(secret)
    return kept + rule.to
  })
}

/** Not applied to JSON as a whole, whose strings are examined one by one. */
export function isForTextOnly(index: number): boolean {
  return SECRET_RULES[index]?.replace !== undefined
}

/** Matches in serialised text wherever the rule would match in one of its strings. */
export function hintOf(index: number): RegExp {
  const rule = SECRET_RULES[index]
  return (hints[index] ??= rule ? new RegExp(rule.hint ?? rule.re, rule.flags ?? '') : /(?!)/)
}

function compile(rule: SecretRule): RegExp {
  return new RegExp(rule.word ? `${WORD_START}(${rule.re})` : rule.re, `g${rule.flags ?? ''}`)
}
