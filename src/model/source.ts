// Where cases come from, as the later stages see it.
import type { CompiledAssertion } from './assertion.js'
import type { TestCase } from './case.js'
import type { Fingerprint, PlanDigest } from './fingerprint.js'

export interface LoadedCase {
  testCase: TestCase
  /** Its assertions as compiled when they were checked, if the case has been in memory ever since. */
  checks?: readonly CompiledAssertion[] | undefined
  /** Likewise its fingerprint. */
  print?: Fingerprint | undefined
}

export interface CaseSource {
  kind: 'file' | 'stdin' | 'message' | 'generator' | 'cases'
  /** As the user wrote it, for the console and the `start` event. */
  label: string
  /** Absolute path of the case file, if there is one. */
  file?: string
  /** Absolute paths, if there are several; each case then says which one it is in. */
  files?: string[]
  /** `file://` attachments are looked for here first, and the agent from here upward. */
  dir: string
  /** Known after the first pass. */
  total?: number
  /** Over all its cases, if their fingerprints were asked for. */
  digest?: PlanDigest
  /** SHA-256 of the input text, for `--resume`. */
  hash?: string
  /** At least one case has turns or a simulator: the console says so. */
  multi_turn?: boolean
  /** Unknown keys and such: one line each. */
  warnings: string[]
  /** In batches as they are read; can be iterated more than once and holds one batch at a time. */
  cases(): AsyncIterable<LoadedCase[]>
  close(): Promise<void>
}
