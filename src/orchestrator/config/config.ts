// The complete configuration of an orchestrator run: whatever a file, a tool or a case left out has its default.
import type { BackendChoice, Hat } from '../hats.js'

export interface LoopConfig {
  hats: Hat[]
  /** Of `cli`; undefined: none was named. */
  backend?: BackendChoice
  start_event: string
  promise: string
  /** Topics without which the promise is not accepted. */
  required_events: string[]
  max_iterations?: number
  max_runtime_secs?: number
  max_cost?: number
  max_tokens?: number
  max_failures: number
  scratchpad: string
  guardrails: string[]
  /** The task, or the file that holds it, if none is given. */
  prompt?: string
  prompt_file?: string
  /** As given, for programs that read it themselves. */
  raw: Record<string, unknown>
}

export const DEFAULT_PROMISE = 'LOOP_COMPLETE'
export const DEFAULT_START = 'task.start'
export const DEFAULT_MAX_ITERATIONS = 5
export const DEFAULT_MAX_RUNTIME_SECS = 300
export const DEFAULT_MAX_FAILURES = 5
