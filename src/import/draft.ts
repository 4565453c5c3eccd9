// What a reader makes of one record of another tool's file: the fields of a case, before they are checked and anything unread is listed.

export interface Draft {
  /** What the source calls it. */
  id?: unknown
  name?: string | undefined
  input?: string | undefined
  messages?: unknown[] | undefined
  turns?: Array<Record<string, unknown>>
  simulator?: Record<string, unknown>
  assert?: Array<Record<string, unknown>>
  final_assertions?: Array<Record<string, unknown>>
  metadata?: Record<string, unknown>
  tags?: string[]
  user?: string | undefined
  options?: Record<string, unknown>
  tools?: Array<Record<string, unknown>>
  expect_tool?: Record<string, unknown> | null
  workspace?: Record<string, unknown>
  /** Keys that nothing reads are the author's own columns, and become metadata. */
  hasOwnKeys?: true
  /** It belongs to another record of the file, and is no case of its own. */
  isPart?: true
  /** What decides about the case and was not carried over. */
  lost?: string[]
  notes?: string[]
}
