// Arguments that the schema refuses are refused.
import { called, finding, hint, type Judged, type Rule } from '../rule.js'
import type { ContractEvidence, Probe } from '../../../../model/contract.js'

export const wrongArguments: Rule = {
  id: 'wrong-arguments',
  reason:
    'a model corrects a call only if it learns that it was wrong; an error that looks like a result is taken for one',
  fix: 'validate the arguments against the input schema and return isError: true, or an error of JSON-RPC with the code -32602',
  on: ['tool', 'prompt'],
  judge(evidence) {
    const wrong = evidence.probes.filter(({ purpose, ended }) => purpose === 'wrong' && ended === 'answered')
    const dressed = wrong.filter((probe) => probe.failed === 'words' && !isSaidAnyway(probe, evidence))
    const accepted = wrong.filter(({ failed }) => failed === undefined)
    return [...dressed.slice(0, 1).map(asText), ...acceptedHint(accepted)]
  },
}

function asText(probe: Probe): Judged {
  return finding(`${called(probe)} were answered with an error that is not marked as one: ${probe.said ?? ''}`, probe)
}

/** Then it is not about the arguments. */
function isSaidAnyway({ said }: Probe, { probes }: ContractEvidence): boolean {
  return probes.some((probe) => probe.purpose === 'typical' && probe.failed !== undefined && probe.said === said)
}

function acceptedHint(accepted: Probe[]): Judged[] {
  const [first] = accepted
  if (!first) return []
  const others = accepted.length > 1 ? `, and ${accepted.length - 1} more in other ways` : ''
  return [hint(`${called(first)} were accepted without an error${others}`, first)]
}
