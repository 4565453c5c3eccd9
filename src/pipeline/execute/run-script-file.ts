// The tests of one script file, in order, each as a result.
import type { AgentContext } from '../../model/agent.js'
import type { CaseStartEvent, ErrorEvent, ResultEvent } from '../../model/event.js'
import type { ScriptUnit } from '../../model/plan.js'
import type {
  ScriptCheck,
  ScriptFile,
  ScriptJudge,
  ScriptOutcome,
  ScriptRuntime,
  ScriptTest,
} from '../../model/script.js'
import { defined } from '../../base/defined.js'
import { isoNow } from '../../time/iso-now.js'

export interface ScriptDeps {
  run_id: string
  scripts: ScriptRuntime
  /** The file that the unit names, here. */
  file: ScriptFile
  /** The test file as a person or an annotation names it. */
  shown_file: string
  context(agentId: string, chatId: string): AgentContext
  timeout_ms: number
  /** After this many no further test starts. */
  max_failures?: number
  /** A test that asserts nothing fails. */
  strict: boolean
  signal: AbortSignal
  judge: ScriptJudge
  check: ScriptCheck
  emit(event: CaseStartEvent | ErrorEvent): void
  onResult(result: ResultEvent): void
}

export async function runScriptFile(unit: ScriptUnit, deps: ScriptDeps): Promise<void> {
  const { file } = deps
  const tests = unit.tests.filter(({ buried }) => !buried)
  const onStart = ({ id, name }: ScriptTest): void =>
    deps.emit({ type: 'case_start', id, name, run: unit.run, timestamp: isoNow() })
  for (const test of unit.tests.filter(({ buried }) => buried)) {
    onStart(test)
    deps.onResult(resultOf(unit, test, BURIED, deps))
  }
  if (tests.length === 0) return
  await deps.scripts.runFile({
    file,
    tests,
    context: deps.context(file.agent_id, `${deps.run_id}-${file.ref}-${unit.run}`),
    timeout_ms: deps.timeout_ms,
    ...defined({ max_failures: deps.max_failures }),
    signal: deps.signal,
    judge: deps.judge,
    check: deps.check,
    run: unit.run,
    onStart,
    onOutcome: (test, outcome) => deps.onResult(resultOf(unit, test, outcome, deps)),
    onError: (message, where) => deps.emit({ type: 'error', message, where, timestamp: isoNow() }),
  })
}

const BURIED: ScriptOutcome = {
  status: 'failed',
  duration_ms: 0,
  error: 'it was not run, because it stands inside a block: move it to the top level of the file',
  error_kind: 'script',
  logs: [],
}

function resultOf(unit: ScriptUnit, test: ScriptTest, outcome: ScriptOutcome, deps: ScriptDeps): ResultEvent {
  const { logs, logs_dropped, assertions } = outcome
  const common = {
    type: 'result' as const,
    run_id: deps.run_id,
    id: test.id,
    name: test.name,
    run: unit.run,
    duration_ms: Math.round(outcome.duration_ms),
    file: deps.shown_file,
    line: test.line,
    script: deps.file.ref,
    script_path: deps.file.script_path,
    logs,
    ...defined({ logs_dropped, assertions, asserts_nothing: test.asserts_nothing }),
  }
  switch (outcome.status) {
    case 'passed':
      if (!test.asserts_nothing) return { ...common, status: 'passed' }
      if (!deps.strict) return { ...common, status: 'passed', warnings: [ASSERTS_NOTHING] }
      return { ...common, status: 'failed', error: `${ASSERTS_NOTHING} (--strict)`, error_kind: 'script' }
    case 'skipped':
      return {
        ...common,
        status: 'skipped',
        skip_reason: outcome.skip_reason ?? 'skipped by the test',
        skipped_by: 'author',
      }
    case 'failed':
      return { ...common, ...failureOf(outcome) }
  }
}

const ASSERTS_NOTHING = 'asserts nothing: no t.assert, t.Error, t.Fail or t.Fatal in its source'

/** The outcome comes from the process that ran the user's code: missing fields are filled in. */
function failureOf({ error, error_kind, assertion, stack }: ScriptOutcome) {
  const { passed: _passed, ...first } = assertion ?? { type: '' }
  return {
    status: 'failed' as const,
    error: error ?? 'the test failed',
    error_kind: error_kind ?? 'assertion',
    ...defined({ assertion: assertion && first, stack }),
  }
}
