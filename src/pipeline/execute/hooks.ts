// A case's `before` and `after` around its conversation.
import type { AgentContext } from '../../model/agent.js'
import type { TestCase } from '../../model/case.js'
import type { ModelCall } from '../../model/model-call.js'
import { hookData } from '../../scripts/host/hook-data.js'
import { describeWithPosition } from '../../scripts/host/script-error.js'
import type { Clock } from '../../time/clock.js'
import { boundBy, CancelledError } from '../../time/deadline.js'
import type { ConversationResult } from './conversation/contract.js'
import { messageOf } from '../../base/message-of.js'

type OnLog = (line: string) => void

/** `origin`: the case that it belongs to. */
export type CallHook = (
  ref: string,
  args: unknown[],
  signal: AbortSignal,
  onLog: OnLog,
  origin: ModelCall,
) => Promise<unknown>

export interface CaseHooks {
  testCase: TestCase
  context: AgentContext
  callHook: CallHook
  call: ModelCall
  clock: Clock
  /** The case's: both `before` and the conversation use it up. */
  signal: AbortSignal
  /** What `before` prints, and what `after` prints. */
  onLog: { before: OnLog; after: OnLog }
}

// Cleaning up matters most after a timeout, when nothing is left of the case's own time.
const AFTER = { ms: 30_000, text: '30s' }
// The run is being stopped: a person is waiting.
const AFTER_CANCEL = { ms: 5_000, text: '5s' }

/** `around` runs the conversation under the case's deadline; `after` runs whenever `before` did not throw. */
export async function withHooks(
  hooks: CaseHooks,
  talk: () => Promise<ConversationResult>,
  around: (work: Promise<ConversationResult>) => Promise<ConversationResult>,
): Promise<ConversationResult> {
  let data: unknown = null
  let begun = false
  const work = async (): Promise<ConversationResult> => {
    try {
      if (hooks.testCase.before !== undefined) data = hookData(await callBefore(hooks, hooks.testCase.before))
    } catch (error) {
      return beforeFailed(hooks.testCase.before ?? '', error)
    }
    begun = true
    return talk()
  }
  const result = await around(work())
  if (begun && hooks.testCase.after !== undefined) await callAfter(hooks, hooks.testCase.after, result, data)
  return result
}

function callBefore({ testCase, context, callHook, call, signal, onLog }: CaseHooks, ref: string): Promise<unknown> {
  return callHook(ref, [context, testCase], signal, onLog.before, call)
}

function beforeFailed(ref: string, error: unknown): ConversationResult {
  return {
    status: 'failed',
    error: `before hook ${ref} failed: ${messageOf(error)}`,
    error_kind: 'hook',
    cause: error,
  }
}

async function callAfter(
  { testCase, context, callHook, call, clock, signal, onLog }: CaseHooks,
  ref: string,
  result: ConversationResult,
  data: unknown,
): Promise<void> {
  const limit = signal.reason instanceof CancelledError ? AFTER_CANCEL : AFTER
  const bound = boundBy(new AbortController().signal, limit.ms, limit.text, clock)
  try {
    const { cause: _cause, ...plain } = result
    const named = { id: testCase.id, ...(testCase.name !== undefined && { name: testCase.name }), ...plain }
    await callHook(ref, [context, testCase, named, data], bound.signal, onLog.after, call)
  } catch (error) {
    result.warnings = [...(result.warnings ?? []), `after hook ${ref} failed: ${describeWithPosition(error)}`]
  } finally {
    bound.clear()
  }
}
