// Whether what a server offers was really used: if every valid call failed, nothing about its results was shown.
import type { ContractEvidence, Probe } from '../../../../model/contract.js'
import { isRecord } from '../../../../base/record.js'
import { CALLED, hint, type Judged, type Rule } from '../rule.js'

export const exercised: Rule = {
  id: 'exercised',
  reason:
    'a call that fails for want of something else, such as a browser or an account, shows nothing about its results',
  fix: 'provide what the server needs, or test it with cases that call it: "call": { "tool": …, "arguments": … }',
  on: CALLED,
  judge: (evidence) => notExercised(evidence),
}

function notExercised({ not_called, not_started, probes, left_out }: ContractEvidence): Judged[] {
  if (not_called !== undefined) return [{ kind: 'not_exercised', why: not_called }]
  if (not_started !== undefined) return []
  const valid = probes.filter(({ purpose }) => purpose === 'typical')
  if (valid.some(({ ended, failed }) => ended === 'answered' && failed === undefined)) return leftOut(left_out)
  const failed = valid.filter((probe) => probe.failed !== undefined)
  if (failed.length > 0)
    return [{ kind: 'not_exercised', why: `every valid call was answered with an error: ${errorsOf(failed)}` }]
  const open = valid.find(({ works }) => works)
  if (open) return [{ kind: 'not_exercised', why: `it was still working after ${open.ms} ms` }]
  return valid.length === 0 ? [{ kind: 'not_exercised', why: left_out[0] ?? 'nothing was called' }] : []
}

/** Two of them, if they differ in more than what the calls named: the first call left out all that is optional. */
function errorsOf(failed: readonly Probe[]): string {
  const [first] = failed
  const other = failed.find((probe) => first && probe.said !== first.said && shapeOf(probe) !== shapeOf(first))
  return [first, other].flatMap((probe) => probe?.said ?? []).join('; another with: ')
}

/** What was said, without the values that the request gave: whole words, for a value may be a single letter. */
function shapeOf({ request, said = '' }: Probe): string {
  const values = isRecord(request) ? textsIn(request['params']).toSorted((one, other) => other.length - one.length) : []
  return values.reduce(
    (text, value) =>
      text.replaceAll(new RegExp(String.raw`(?<!\w)${value.replaceAll(/[^\w\s]/g, String.raw`\$&`)}(?!\w)`, 'g'), '…'),
    said,
  )
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textsIn(item))
  return isRecord(value) ? Object.values(value).flatMap((item) => textsIn(item)) : []
}

function leftOut([first, ...more]: string[]): Judged[] {
  if (first === undefined) return []
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return [hint(`not called: ${first}${others}; a longer --timeout leaves more time`)]
}
