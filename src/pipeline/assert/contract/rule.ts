// What a rule of the contract of MCP servers is: an id, why it matters, how to fix what breaks it, and a judgement on evidence.
import { isRecord } from '../../../base/record.js'
import type { ContractEvidence, ContractSubject, Probe, SubjectKind } from '../../../model/contract.js'

export interface Rule {
  id: string
  /** Why it matters, in a sentence. */
  reason: string
  /** How to fix what it finds. */
  fix: string
  /** What it is about. */
  on: readonly SubjectKind[]
  /** It judges what is listed: nothing has to be called. */
  byListing?: true
  /** Whether it has anything to say about this one. Default: yes. */
  applies?(subject: ContractSubject): boolean
  judge(evidence: ContractEvidence): Judged[]
}

/** Nothing: it holds. */
export type Judged =
  | { kind: 'finding' | 'hint'; what: string; probe?: Probe; before?: unknown; after?: unknown }
  /** There was nothing to judge by, through no fault of the server's. */
  | { kind: 'not_exercised'; why: string }

export const TOOLS = ['tool'] as const
export const CALLED = ['tool', 'prompt', 'resource', 'template'] as const
export const EVERYTHING = [...CALLED, 'handshake', 'lists', 'refusals', 'cancellation'] as const

export function finding(what: string, probe?: Probe): Judged {
  return { kind: 'finding', what, ...(probe && { probe }) }
}

export function hint(what: string, probe?: Probe): Judged {
  return { kind: 'hint', what, ...(probe && { probe }) }
}

/** `called with "path" is missing`: which call it was. */
export function called({ purpose, why }: Probe): string {
  const kind = { typical: 'a typical call', boundary: 'a call at a boundary', wrong: 'wrong arguments' } as Record<
    string,
    string
  >
  const name = kind[purpose] ?? (purpose === 'hostile' ? 'hostile arguments' : 'a call')
  return why === undefined ? name : `${name} (${why})`
}

/** A server that has no `ping` at all: the handshake says so, once. */
export function isUnknownPing({ request, code }: Probe): boolean {
  return isRecord(request) && request['method'] === 'ping' && code === METHOD_NOT_FOUND
}

const METHOD_NOT_FOUND = -32601

export function annotation(subject: ContractSubject, name: string): unknown {
  if (subject.kind !== 'tool') return undefined
  const { annotations } = subject.item
  return typeof annotations === 'object' && annotations !== null
    ? (annotations as Record<string, unknown>)[name]
    : undefined
}
