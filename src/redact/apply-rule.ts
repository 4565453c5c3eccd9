// Carries out one row of the rule table on a text; expressions are compiled when first needed.
import { SECRET_RULES, type SecretRule } from './rules.js'

const WORD_START = String.raw`(^|[^A-Za-z0-9_]|\x1b\[[0-9;]*m|\\[nrtu"])`

const patterns: RegExp[] = []
const hints: RegExp[] = []

export function applyRule(index: number, text: string): string {
  const rule = SECRET_RULES[index]
  if (!rule) return text
  const pattern = (patterns[index] ??= compile(rule))
  return text.replace(pattern, (match: string, ...groups: unknown[]) => {
    const keeps = rule.word === true || rule.keep === true
    const kept = keeps ? String(groups[0]) : ''
    const secret = keeps ? String(groups[1]) : match
    return isSecret(rule, secret) ? kept + rule.to : match
  })
}

/** Matches in serialised text wherever the rule would match in one of its strings. */
export function hintOf(index: number): RegExp {
  const rule = SECRET_RULES[index]
  return (hints[index] ??= rule ? new RegExp(rule.hint ?? rule.re, rule.flags ?? '') : /(?!)/)
}

function compile(rule: SecretRule): RegExp {
  return new RegExp(rule.word ? `${WORD_START}(${rule.re})` : rule.re, `g${rule.flags ?? ''}`)
}

function isSecret(rule: SecretRule, secret: string): boolean {
  if (rule.needs === 'digit') return /[0-9]/.test(secret)
  if (rule.needs === 'nondigit') return /[^0-9]/.test(secret)
  return true
}
