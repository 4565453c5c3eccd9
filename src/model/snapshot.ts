// What the `snapshot` assertion asks of the snapshot store.
import type { RedactedPath } from './redacted-path.js'

export const NO_SNAPSHOT = 'there is no snapshot to compare with'

/** What may change from run to run: patterns by name (or a built-in one switched on), and places in JSON. */
export interface SnapshotRedactions {
  patterns?: Record<string, string | boolean>
  paths?: readonly RedactedPath[]
}

export interface SnapshotRequest {
  /** Absent: belongs to a workspace, which cases may share. */
  case_id?: string
  /** Unique in its case. */
  name: string
  /** Text, or JSON. */
  value: unknown
  redactions: SnapshotRedactions
  /** The hash of what the case asks, if it is known. */
  asked?: string | undefined
}

/** The name of a snapshot that was not given one. */
export function snapshotName({ name, of }: { name?: unknown; of?: unknown }): string {
  if (typeof name === 'string') return name
  return of === 'tool_calls' ? 'tool_calls' : 'answer'
}

export type SnapshotOutcome =
  /** `content`: what was compared, redacted. */
  | { state: 'same' | 'written'; content: string }
  /** `asks_else`: the answer is the same, but it was accepted for another question. */
  | { state: 'missing' | 'different' | 'asks_else'; content: string; saved?: string; file: string; pending?: string }
  /** A value is to be watched, and could not be. */
  | { state: 'unchecked'; why: string }

export interface Snapshots {
  /** Throws if the file cannot be read or written. */
  compare(request: SnapshotRequest): SnapshotOutcome
}
