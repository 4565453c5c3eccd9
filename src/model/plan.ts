// What will run: cases and script test files, each × its variants × its runs.
import type { CompiledAssertion } from './assertion.js'
import type { TestCase } from './case.js'
import type { Fingerprint } from './fingerprint.js'
import type { CaseKey, RunKey } from './run-key.js'
import type { ScriptTest } from './script.js'

/** Portable: plain data, no absolute path, no function. Compiled parts are rebuilt from it where it runs. */
export type Unit = CaseUnit | ScriptUnit

/** One case × one variant × one run. */
export interface CaseUnit {
  kind: 'case'
  testCase: TestCase
  /** Absent outside runs: nothing is compared with it. */
  print?: Fingerprint
  /** Absent if there is only one. */
  variant?: string
  /** 1-based. */
  run: number
  /** With `--shard`: position of the case among all cases of the source, from 1. */
  position?: number
}

/** One script test file × one run. */
export interface ScriptUnit {
  kind: 'script_file'
  /** `ref` of the file. */
  script: string
  tests: ScriptTest[]
  run: number
}

/** A unit in the process that planned it. */
export interface Planned {
  unit: Unit
  /** Assertions of the case that were compiled when it was loaded, so they need not be compiled again here. */
  checks?: readonly CompiledAssertion[] | undefined
}

export type Job =
  | (Planned & { kind: 'run' })
  /** `--runs auto`: one run after another until all `keys` are decided. Undefined: that run already has its results. */
  | { kind: 'until_decided'; units: Iterable<Unit | undefined>; keys: CaseKey[]; checks: Planned['checks'] }

/** Between jobs: what follows starts once everything before it has ended. */
export const BARRIER = 'barrier'
export type Jobs = AsyncIterable<Job[] | typeof BARRIER>

/** Asked once all cases have had that many runs: whether they get more. */
export type GoOn = (runs: number) => boolean

/** Whether this run of a case already has its result (`--resume`). */
export type IsDone = (key: RunKey) => boolean
