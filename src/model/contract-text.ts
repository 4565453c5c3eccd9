// A case of a contract in a few words: what is tried, and what came of it.
import { plural } from '../base/format.js'
import { isRecord, readString } from '../base/record.js'
import type { ContractEvidence, ContractFinding, ContractPart, ContractSubject, Probe } from './contract.js'
import type { ContractSummary } from './event.js'
import type { Message } from './message.js'

const WHOLE = {
  handshake: 'the handshake of the server',
  lists: 'the lists of the server',
  refusals: 'what the server refuses',
  cancellation: 'cancelled calls',
} as const

export function subjectText(subject: ContractSubject): string {
  if (!('item' in subject)) return `contract: ${WHOLE[subject.kind]}`
  const { name, uri, uriTemplate } = subject.item
  return `contract: ${subject.kind} ${readString(uri) ?? readString(uriTemplate) ?? readString(name) ?? ''}`
}

/** `13 of 14 tools, 2 of 2 prompts exercised; 1 finding, 3 hints`. */
export function contractSentence({ listed, findings, hints }: ContractSummary): string {
  const parts = listed.map(({ kind, listed: count, exercised }) => `${exercised} of ${plural(count, NAMES[kind])}`)
  const exercised = parts.length > 0 ? `${parts.join(', ')} exercised; ` : ''
  return `${exercised}${plural(findings, 'finding')}, ${plural(hints, 'hint')}`
}

const NAMES = { tool: 'tool', prompt: 'prompt', resource: 'resource', template: 'resource template' } as const

/** What a message asks for, if it asks for the contract of a server. */
export function contractIn(message: Message | undefined): ContractPart | undefined {
  const content = message?.content
  return Array.isArray(content) ? content.find(isContractPart) : undefined
}

/** The same for the input of a result. */
export function asksForContract(input: unknown): boolean {
  const last: unknown = Array.isArray(input) ? input.at(-1) : input
  return isRecord(last) && Array.isArray(last['content']) && last['content'].some(isContractPart)
}

function isContractPart(part: unknown): part is ContractPart {
  return isRecord(part) && part['type'] === 'contract' && isRecord(part['subject'])
}

export function isContractEvidence(value: unknown): value is ContractEvidence {
  return isRecord(value) && isRecord(value['subject']) && Array.isArray(value['probes']) && isRecord(value['server'])
}

/** `14 calls: 3 typical, 8 wrong …`. */
export function evidenceText({ probes, not_started, not_called }: ContractEvidence): string {
  if (not_started !== undefined) return `the server did not start: ${not_started}`
  if (not_called !== undefined) return `not called: ${not_called}`
  const counts = new Map<string, Probe[]>()
  for (const probe of probes) counts.set(probe.purpose, [...(counts.get(probe.purpose) ?? []), probe])
  const parts = [...counts].map(([purpose, list]) => {
    const failed = list.filter(({ ended, failed: how }) => ended !== 'answered' || how !== undefined).length
    return `${list.length} ${purpose}${failed > 0 ? ` (${failed} refused or failed)` : ''}`
  })
  return `${plural(probes.length, 'call')}: ${parts.join(', ')}`
}

/** One line for each call: what was sent, and what became of it. */
export function probeLines({ probes }: ContractEvidence): string[] {
  return probes.map(({ purpose, why, ended, failed, said, reason, ms }) => {
    const end =
      ended === 'answered'
        ? failed === undefined
          ? 'answered'
          : `refused: ${said ?? ''}`
        : `${ended}: ${reason ?? ''}`
    return `${purpose}${why === undefined ? '' : ` (${why})`}: ${end} (${ms} ms)`
  })
}

/** What a failed `contract` assertion has found. */
export function contractFinding({ type, actual }: { type: string; actual?: unknown }): ContractFinding | undefined {
  return type === 'contract' && isRecord(actual) && typeof actual['rule'] === 'string'
    ? (actual as unknown as ContractFinding)
    : undefined
}
