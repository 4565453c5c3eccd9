// What is listed exists.
import { CALLED, finding, type Rule } from '../rule.js'
import type { ContractSubject, Probe } from '../../../../model/contract.js'

export const reachable: Rule = {
  id: 'reachable',
  reason: 'what a server lists is offered to models, which will use it',
  fix: 'list only what the server answers to, under the same name or address',
  on: CALLED,
  judge({ probes, subject }) {
    const asked = probes.filter(({ purpose }) => purpose === 'typical')
    const [first] = asked
    if (!first || !asked.every((probe) => isUnknown(probe, subject))) return []
    return [finding(`it is listed, but the server does not know it: ${first.said ?? ''}`, first)]
  },
}

const METHOD_NOT_FOUND = -32601
const NOT_FOUND = -32002

function isUnknown({ failed, said = '', code }: Probe, subject: ContractSubject): boolean {
  if (failed === undefined || failed === 'words') return false
  if (code === METHOD_NOT_FOUND) return true
  switch (subject.kind) {
    case 'tool':
      return (
        /\b(?:unknown|no such) tool\b|\btool\b.{0,80}\b(?:not found|does not exist|is not known)\b/i.test(said) &&
        says(said, subject.item['name'])
      )
    case 'prompt':
      return (
        /\b(?:unknown|no such) prompt\b|\bprompt\b.{0,80}\b(?:not found|does not exist)\b/i.test(said) &&
        says(said, subject.item['name'])
      )
    case 'resource':
      return (
        code === NOT_FOUND ||
        /\b(?:unknown|no such) resource\b|\bresource\b.{0,200}\b(?:not found|does not exist)\b/i.test(said)
      )
    default:
      return false
  }
}

function says(said: string, name: unknown): boolean {
  return typeof name === 'string' && said.includes(name)
}
