// Script tests and calls into users' scripts, as the rest of Viva sees them.
import type { AgentContext } from './agent.js'
import type { AssertionResult } from './assertion.js'
import type { Spent } from './helper-cost.js'
import { isTested, type ModelCall } from './model-call.js'
import type { ErrorKind, Status } from './status.js'

export interface ScriptTest {
  /** `scripts.expense.setup.TestReady`: unique over all files of a run. */
  id: string
  /** The function's name. */
  name: string
  line: number
  /** Its source contains nothing that could fail: no assertion, no `t.Error`, no `throw`. */
  asserts_nothing?: true
  /** The file cannot be read as a script: this entry represents all of its tests, whatever they are called. */
  unreadable?: true
  /** It stands inside a block, where nothing calls it: it fails without being run. */
  buried?: true
}

export interface ScriptFile {
  /** `scripts.expense.setup` */
  ref: string
  agent_id: string
  /** Absolute path of the agent's folder. */
  agent_dir: string
  /** Absolute path of the test file. */
  path: string
  /** The same, relative to the application root, as reports show it. */
  script_path: string
  tests: ScriptTest[]
}

export interface ScriptAssertion {
  type: string
  passed: boolean
  expected?: unknown
  actual?: unknown
  message?: string
}

export interface ScriptOutcome {
  status: Status
  duration_ms: number
  error?: string
  error_kind?: ErrorKind
  /** The first failure. */
  assertion?: ScriptAssertion
  /** All failures (and passes when verbose). */
  assertions?: ScriptAssertion[]
  skip_reason?: string
  logs: string[]
  logs_dropped?: number
  stack?: string
}

export interface ScriptFileRun {
  file: ScriptFile
  /** The tests to run, in order (already filtered). */
  tests: ScriptTest[]
  context: AgentContext
  timeout_ms: number
  /** After this many failed tests no further test starts. */
  max_failures?: number
  signal: AbortSignal
  judge: ScriptJudge
  check: ScriptCheck
  /** How many times the file is run in all. */
  run: number
  onStart(test: ScriptTest): void
  onOutcome(test: ScriptTest, outcome: ScriptOutcome): void
  /** Something outside any test: a rejection after a test's end, a crash between tests. */
  onError(message: string, where: string): void
}

/** Whose code a function is. The agent's and the judge's never share a process: what one does to it, the other does not see. */
export type ScriptRole =
  /** Hooks and tools of packages, and what they call. */
  | 'agent'
  /** Assertions, validators, generators, simulators and their packages, mock models, hooks of cases and runs. */
  | 'judge'
  /** Modules of tools that a test provides: they may be the agent's own code, and never judge it. */
  | 'tools'

/** Hooks and tools of a helper are not the agent's code: the two never share a process. */
export function scriptRole(origin: ModelCall | undefined): ScriptRole {
  return origin === undefined || isTested(origin) ? 'agent' : 'judge'
}

/** A call of one function of a user's script: hook, assertion, generator, tool replacement, `Process("scripts.…")`. */
export interface ScriptCall {
  /** `scripts.a.b.Fn`, `scripts:a.b.fn`, `file_test.Function`, a bare `Function`, or `{file, name}` when already resolved. */
  ref: string | { file: string; name: string }
  role: ScriptRole
  args: unknown[]
  /** Makes `args[index]` a live `ctx` object in the script. */
  context_args?: number[]
  /** The agent in whose folders the reference is looked up first. */
  agent_dir?: string
  /** On whose behalf: agents that the script calls answer on the same behalf. */
  origin?: ModelCall
  signal: AbortSignal
  /** What the function prints, line by line. */
  onLog?(line: string): void
  /** What it sends to the client with `ctx.Send` and its siblings. */
  onSend?(message: unknown): void
  /** What each agent that it calls has used. */
  onSpent?(spent: Spent): void
  /** The script is a module of tools: what is asked of it, with `args`. */
  tools?: ToolModuleCall
}

/** `describe`: its tools. `store`: a new store. `call`: one tool, with its arguments and the store. */
export interface ToolModuleCall {
  op: 'describe' | 'store' | 'call'
  /** Of the tool. */
  tool?: string
}

/** `t.assert.Agent(response, id, options)`, asked by a test of the file. */
export type ScriptJudge = (
  response: unknown,
  agent: string,
  options: unknown,
  signal: AbortSignal,
  /** The name of the test that asks. */
  test: string,
) => Promise<{ passed: boolean; score?: number; reason?: string }>

/** `t.assert.Check(subject, assertions)`, asked by a test of the file. Rejects if nothing could be checked. */
export type ScriptCheck = (
  subject: unknown,
  assertions: unknown,
  signal: AbortSignal,
  /** The name of the test that asks. */
  test: string,
) => Promise<AssertionResult[]>

/** What scripts may ask of the rest of Viva. Passed in by `run.ts`; `scripts/` imports no agent. */
export interface ScriptHandlers {
  /** `Process("agents.x.Stream", …)`, `agent.Call`, `ctx.agent.Call`, `ctx.mcp.*` and other processes. */
  process(
    name: string,
    args: unknown[],
    signal: AbortSignal,
    origin?: ModelCall,
    onSpent?: ScriptCall['onSpent'],
  ): Promise<unknown>
  /** Put around `http.*`; `live` makes the request. */
  http?(
    request: unknown,
    live: () => Promise<unknown>,
    about: { signal: AbortSignal; origin: ModelCall | undefined },
  ): Promise<unknown>
}

export interface ScriptRuntime {
  /** `scripts.a.b`, `scripts.a.*`, `scripts.*` → the test files with their tests in source order. */
  find(ref: string): Promise<ScriptFile[]>
  runFile(run: ScriptFileRun): Promise<void>
  call(call: ScriptCall): Promise<unknown>
  close(): Promise<void>
}
