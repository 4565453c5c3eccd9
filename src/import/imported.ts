// What an import makes of a file of another tool: cases, the files they need, and what was left behind.
import { isRecord } from '../base/record.js'

/** Where something stands in what is imported. */
export interface Origin {
  /** Relative to the folder of the file that is imported. */
  file: string
  line: number
}

export interface Note extends Origin {
  reason: string
  /**
   * `lost`: something that decides about a case was not carried over; `stricter`: it was, and can fail where it passed.
   */
  kind: 'lost' | 'stricter' | 'note'
  case?: string
}

export interface ImportedCase {
  id: string
  [field: string]: unknown
}

export interface Imported {
  /** What kind of file it was, for people. */
  format: string
  cases: ImportedCase[]
  /** What the author says about a case in comments: its id → lines. */
  comments: Map<string, string[]>
  /** Tests that could not be read at all; each has a case in its place, which is skipped. */
  unread: number
  /** Path in the new folder → content. */
  files: Map<string, string>
  notes: Note[]
  /** What to add to the command that runs it, for people; default: an agent of theirs. */
  ways?: string[]
  /** Assertions that need no judgement: how many there were, how many are in the cases. */
  deterministic: { found: number; carried: number }
  /** Others: judges and the like. */
  judged: { found: number; carried: number }
}

export function newImported(format: string): Imported {
  return {
    format,
    cases: [],
    comments: new Map(),
    unread: 0,
    files: new Map(),
    notes: [],
    deterministic: { found: 0, carried: 0 },
    judged: { found: 0, carried: 0 },
  }
}

/** Of one assertion as Viva would read it: what is wrong with it. */
export type CheckSpec = (spec: Record<string, unknown>) => string[]

export interface ImportOptions {
  /** How an expected answer in free text is compared. */
  expect: 'judge' | 'similar' | 'exact'
  /** The folder that the suite is written to: what stays where it is, is named from there. */
  into?: string
  /** The kind of file that is insisted on. */
  from?: string
  checkSpec: CheckSpec
}

/**
 * A case that lost an assertion is skipped, whatever its other assertions say. `metadata.import` tells that skip from one
 * that an author chose.
 */
export function skipFor(item: ImportedCase, notes: readonly Note[]): void {
  if (notes.length === 0) return
  const metadata = item['metadata'] as Record<string, unknown> | undefined
  item['metadata'] = { ...metadata, import: notes.map(noteOf) }
  const lost = notes.filter(({ kind }) => kind === 'lost')
  const [first] = lost
  if (!first) return
  const more = lost.length > 1 ? ` (and ${lost.length - 1} more)` : ''
  item['skip'] = true
  item['skip_reason'] = `not carried over: ${first.reason} (${first.file}:${first.line})${more}`
}

function noteOf({ file, line, reason, kind }: Note): Record<string, unknown> {
  return { from: `${file}:${line}`, reason, ...(kind !== 'note' && { [kind]: true }) }
}

/** The case that was imported, with a placeholder where a secret was: it is not what was tested. */
export function skipForSecret(item: ImportedCase, id: string, from: string): ImportedCase {
  const reason = `${from} held a secret, for which there is a placeholder now`
  const { metadata } = item
  const known = isRecord(metadata) ? metadata : {}
  const notes: unknown[] = Array.isArray(known['import']) ? known['import'] : []
  return {
    ...item,
    id,
    metadata: { ...known, import: [...notes, { from, reason, lost: true }] },
    skip: true,
    skip_reason: `not carried over: ${reason}`,
  }
}

/** A free text against an expected one. */
export function expectText(expected: string, { expect }: ImportOptions): Record<string, unknown> {
  switch (expect) {
    case 'exact':
      return { type: 'equals', value: expected }
    case 'similar':
      return { type: 'similar', value: expected, method: 'tokens', threshold: 0.8 }
    case 'judge':
      return judgeFor(`The answer says the same in substance as this one: ${expected}`)
  }
}

export function judgeFor(criteria: string): Record<string, unknown> {
  return { type: 'agent', use: 'agents:viva.judge', value: criteria }
}
