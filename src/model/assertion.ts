// What an assertion is as written in a case, as compiled, and the verdict it gives.
import type { Evidence } from './evidence.js'
import type { AskHelper } from './helper.js'
import type { JudgeEntry, JudgeQuestionSpec } from './judge.js'
import type { AssertionResult, Choice } from './result-schema.js'
import type { Snapshots } from './snapshot.js'
import type { WorkspaceFiles } from './workspace.js'

export type { AssertionResult } from './result-schema.js'

/** Parameters that a result repeats, so that its line is self-contained. */
export const ECHOED = [
  'value',
  'name',
  'path',
  'label',
  'weight',
  'negate',
  'tool',
  'tools',
  'use',
  'script',
  'criterion',
  'rubric',
  'pattern',
  'topic',
  'topics',
  'hat',
  'hats',
  'from',
  'to',
  'snapshot_id',
  'paths',
] as const satisfies Array<keyof AssertionResult>

/** One form past the loader: a bare string, `assert`/`assertions`, `pattern`, `args` … are normalised at load. */
export interface AssertionSpec {
  type: string
  value?: unknown
  path?: string
  message?: string
  negate?: boolean
  label?: string
  weight?: number
  [key: string]: unknown
}

/** The tool or skill that should be chosen, by name; null: none. */
export type ExpectedChoice = Pick<Choice, 'of' | 'expected'>

export interface CompiledAssertion {
  spec: AssertionSpec
  check: Check
  /** It is about a choice, which is counted even where nothing could be checked. */
  choice?: ExpectedChoice
  /** It reads the answer, by itself or through a judge or a script. */
  readsAnswer?: boolean
}

/** What a check found. The type, the echo of the spec, `negate` and `message` are added by the caller. */
export interface Verdict {
  passed: boolean
  expected?: unknown
  actual?: unknown
  /** Why it failed; on a pass, what a judge or script had to say. */
  message?: string
  diff?: string
  score?: number
  /** The check could not be carried out. `passed` is false then. */
  error?: string
  error_kind?: 'validator' | 'script' | 'input'
  /** How often a judge was asked, when once was not enough. */
  asked?: number
  /** Who judged. */
  judge?: JudgeEntry
  /** Why there was nothing to check, through nobody's fault: if nothing fails, the case is skipped for this reason. */
  unchecked?: string
  /** It does not count. */
  advice?: true
  parts?: AssertionResult[]
  /** What was chosen, if the assertion is about a choice and that is known. */
  chosen?: Pick<Choice, 'near'> & { taken: string | null }
  /** It rests on what the agent says about itself. */
  claimed?: true
  /** Only part of it was searched, so "not found" proves nothing: negating it is an error. */
  incomplete?: string
  /** What it reads is not there, so nothing was shown: negating it fails, too. */
  absent?: string
}

export type Check = (evidence: Evidence, services: AssertServices) => Verdict | Promise<Verdict>

export interface IdentifiedJudge {
  judge: JudgeEntry
  advice?: true
}

/** What assertions may ask of the rest of Viva. Passed in: this folder imports no agent and no script. */
export interface AssertServices {
  /** The judge's raw answer: text or structured data. */
  judge: AskHelper
  /** Who that judge is, and whether its verdict counts. Absent: it counts, and nobody asks who it was. */
  identifyJudge?(judge: { use?: string; connector?: string }, question: JudgeQuestionSpec): Promise<IdentifiedJudge>
  script(ref: string, args: unknown[]): Promise<unknown>
  readFile?(path: string): Promise<string>
  /** A search that could take long: it is cut off after a second. */
  search(expression: RegExp, text: string): Promise<boolean>
  /** The answers a person has accepted. */
  snapshots?(): Promise<Snapshots>
  /** The files of the case's workspace, if it has one. */
  workspace?: WorkspaceFiles | undefined
  /** A check that holds, but still looks like a mistake. */
  warn?(text: string): void
  /** Nobody reads why something failed: explaining it can cost many times as much as finding it. */
  verdictsOnly?: true
  signal: AbortSignal
}
