// The tests of one script file, in order, each as a result.
import type { AgentContext } from '../../model/agent.js'
import type { CaseStartEvent, ErrorEvent, ResultEvent } from '../../model/event.js'
import type { ScriptUnit } from '../../model/plan.js'
import type { ScriptOutcome, ScriptRuntime, ScriptTest } from '../../model/script.js'
import { defined } from '../../base/defined.js'

export interface ScriptDeps {
  run_id: string
  scripts: ScriptRuntime
  /** The test file as a person or an annotation names it. */
  file: string
  context(agentId: string, chatId: string): AgentContext
  timeout_ms: number
  fail_fast: boolean
  signal: AbortSignal
  emit(event: CaseStartEvent | ErrorEvent): void
  onResult(result: ResultEvent): void
}

export async function runScriptFile(unit: ScriptUnit, deps: ScriptDeps): Promise<void> {
  await deps.scripts.runFile({
    file: unit.file,
    tests: unit.tests,
    context: deps.context(unit.file.agent_id, `${deps.run_id}-${unit.file.ref}-${unit.run}`),
    timeout_ms: deps.timeout_ms,
    fail_fast: deps.fail_fast,
    signal: deps.signal,
    onStart: (test) =>
      deps.emit({
        type: 'case_start',
        id: test.id,
        name: test.name,
        run: unit.run,
        timestamp: new Date().toISOString(),
      }),
    onOutcome: (test, outcome) => deps.onResult(resultOf(unit, test, outcome, deps)),
    onError: (message, where) => deps.emit({ type: 'error', message, where, timestamp: new Date().toISOString() }),
  })
}

function resultOf(unit: ScriptUnit, test: ScriptTest, outcome: ScriptOutcome, deps: ScriptDeps): ResultEvent {
  const { assertion, assertions, ...rest } = outcome
  return defined({
    type: 'result' as const,
    run_id: deps.run_id,
    id: test.id,
    name: test.name,
    run: unit.run,
    ...rest,
    duration_ms: Math.round(outcome.duration_ms),
    assertion: assertion && defined({ ...assertion, passed: undefined }),
    assertions: assertions?.map((item) => ({ ...item })),
    file: deps.file,
    line: test.line,
    script: unit.file.ref,
    script_path: unit.file.script_path,
  }) as ResultEvent
}
