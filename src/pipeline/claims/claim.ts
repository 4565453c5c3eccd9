// What an answer says was done, found or counted, and whether something shows it.
import type { ToolCall } from '../../model/message.js'
import type { FileChange } from '../../model/workspace.js'

export type ClaimKind = 'action' | 'number' | 'money' | 'date' | 'id' | 'file' | 'url' | 'quote'

/** `contradicted`: something says otherwise. `unbacked`: nothing shows it. */
export type ClaimVerdict = 'backed' | 'unbacked' | 'contradicted'

export interface Claim {
  kind: ClaimKind
  /** As written; `start` and `end` are its place in the answer. */
  text: string
  start: number
  end: number
  verdict: ClaimVerdict
  /** What backs it, or what says otherwise, in words. */
  evidence?: string
  /** It may have been shown by something that was not reported: what is missing, in words. */
  unseen?: string
}

/** In characters. A longer answer is not looked at: it would take too long. */
export const LONGEST_ANSWER = 50_000

/** The source that tells the agent how to work: what it says of things done is said of none in particular. */
export const INSTRUCTIONS = 'the instructions'

/** What happened, in order: an answer is checked against what came before it. */
export type RecordEntry =
  /** What the agent was told: its instructions, the input, what the user said. */
  { kind: 'given'; from: string; value: unknown } | { kind: 'call'; call: ToolCall } | { kind: 'answer'; text: string }

export interface ClaimFiles {
  changes: readonly FileChange[]
  /** Files that somebody has looked for. */
  present: readonly string[]
  missing: readonly string[]
}

export interface ClaimRecord {
  entries: readonly RecordEntry[]
  /** Absent: there is no workspace. */
  files?: ClaimFiles
  /** Calls may be missing: why, in words. */
  unseen?: string
}
