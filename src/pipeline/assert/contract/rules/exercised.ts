// Whether what a server offers was really used: if every valid call failed, nothing about its results was shown.
import type { ContractEvidence } from '../../../../model/contract.js'
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
  const answered = valid.find(({ failed }) => failed !== undefined)
  if (answered)
    return [{ kind: 'not_exercised', why: `every valid call was answered with an error: ${answered.said ?? ''}` }]
  const open = valid.find(({ works }) => works)
  if (open) return [{ kind: 'not_exercised', why: `it was still working after ${open.ms} ms` }]
  return valid.length === 0 ? [{ kind: 'not_exercised', why: left_out[0] ?? 'nothing was called' }] : []
}

function leftOut([first, ...more]: string[]): Judged[] {
  if (first === undefined) return []
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return [hint(`not called: ${first}${others}; a longer --timeout leaves more time`)]
}
