// What will run: one case × one run, or one script test file × one run.
import type { TestCase } from './case.js'
import type { ScriptFile, ScriptTest } from './script.js'

export type Unit = CaseUnit | ScriptUnit

export interface CaseUnit {
  kind: 'case'
  testCase: TestCase
  /** 1-based. */
  run: number
}

export interface ScriptUnit {
  kind: 'script_file'
  file: ScriptFile
  tests: ScriptTest[]
  run: number
}

/** What is run, and how often. Fixed: the runs may go side by side. Auto: one after another, until decided. */
export interface Planned {
  /** Its first run. */
  unit: Unit
  runs: number | 'auto'
}
