// What the schema library has to say about a value → a problem in words.
import type * as v from 'valibot'
import { plural } from '../../base/format.js'
import { show } from '../../base/text.js'
import type { Problem } from '../../errors.js'

/** `field`: where the value is that was checked. */
export function problemOf(issue: v.BaseIssue<unknown>, field: string): Problem {
  const path = (issue.path ?? [])
    .map((step) => (typeof step.key === 'number' ? `[${step.key}]` : `.${String(step.key)}`))
    .join('')
  return { field: field + path, message: messageOf(issue) }
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message
  if (issue.received === 'undefined' && issue.expected?.startsWith('"')) return 'is missing'
  if (issue.expected === '!0') return 'must not be empty'
  return `must ${boundOf(issue) ?? `be ${expectedOf(issue)}`}, found ${show(issue.input)}`
}

const BOUNDS: Record<string, string> = { '>=': 'at least', '<=': 'at most', '>': 'above', '<': 'below' }

/** `>=1` in words: for a number, or for a count. */
function boundOf({ expected, type, input }: v.BaseIssue<unknown>): string | undefined {
  const [, sign = '', bound = ''] = /^([<>]=?)(-?\d[\d.]*)$/.exec(expected ?? '') ?? []
  const words = BOUNDS[sign]
  if (words === undefined) return undefined
  if (!type.endsWith('length')) return `be ${words} ${bound}`
  return `have ${words} ${plural(Number(bound), Array.isArray(input) ? 'element' : 'character')}`
}

function expectedOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'integer') return 'a whole number'
  return (issue.expected ?? 'something else')
    .replaceAll('Object', 'object')
    .replaceAll(' | ', ' or ')
    .replace(/^\((.*)\)$/, '$1')
}
