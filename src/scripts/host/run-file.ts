// Runs the tests of one file: in its own process, and in a new one after every test that did not let it live.
import { defined } from '../../base/defined.js'
import type { ScriptFileRun, ScriptOutcome, ScriptTest } from '../../model/script.js'
import { CompileError } from '../compile/compile.js'
import { FileProcess, type FileDeps, type FileProcessEnd } from './file-process.js'
import type { CompiledScript } from '../protocol.js'

export async function runFile(run: ScriptFileRun, deps: FileDeps): Promise<void> {
  let script: CompiledScript
  try {
    script = await deps.compiler.get(run.file.path)
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    failAll(run, run.tests, { error: error.message, error_kind: 'script' })
    return
  }
  let remaining = run.tests
  let left = run.max_failures
  while (remaining.length > 0 && !run.signal.aborted) {
    const child = await deps.pool.takeFresh(run.signal)
    const ofProcess = left === undefined ? run : { ...run, max_failures: left }
    const end = await new FileProcess(ofProcess, remaining, child, script, deps).finished
    if (end.stop) return
    if (left !== undefined) left -= end.failed
    remaining = nextTests({ ...run, ...defined({ max_failures: left }) }, remaining, end)
  }
}

/** What remains to be run after a process has ended, however it ended. */
function nextTests(run: ScriptFileRun, tests: ScriptTest[], end: FileProcessEnd): ScriptTest[] {
  if (end.refused) {
    failAll(run, tests.slice(end.reported), end.refused)
    return []
  }
  return tests.slice(end.reported)
}

function failAll(run: ScriptFileRun, tests: ScriptTest[], why: Partial<ScriptOutcome>): void {
  for (const test of tests.slice(0, run.max_failures)) {
    run.onStart(test)
    run.onOutcome(test, { status: 'failed', duration_ms: 0, logs: [], ...why })
  }
}
