// A case's `before` and `after` around its conversation.
import type { AgentContext } from '../../model/agent.js'
import type { TestCase } from '../../model/case.js'
import type { ConversationResult } from './conversation/contract.js'

export type CallHook = (ref: string, args: unknown[], signal: AbortSignal) => Promise<unknown>

export async function runHooks(
  testCase: TestCase,
  context: AgentContext,
  callHook: CallHook,
  talk: () => ConversationResult | Promise<ConversationResult>,
  signal: AbortSignal,
): Promise<ConversationResult> {
  let data: unknown
  if (testCase.before !== undefined) {
    try {
      data = await callHook(testCase.before, [context, testCase], signal)
    } catch (error) {
      return {
        status: 'failed',
        error: `before hook ${testCase.before} failed: ${messageOf(error)}`,
        error_kind: 'hook',
        cause: error,
      }
    }
  }
  const result = await talk()
  if (testCase.after !== undefined) {
    try {
      const { cause: _cause, ...plain } = result
      await callHook(testCase.after, [context, testCase, plain, data ?? null], signal)
    } catch (error) {
      result.warnings = [...(result.warnings ?? []), `after hook ${testCase.after} failed: ${messageOf(error)}`]
    }
  }
  return result
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
