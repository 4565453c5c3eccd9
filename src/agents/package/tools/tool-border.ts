// The border between an agent and its tools: every call passes here, whether the model or a script makes it, and whether a
// script, an MCP server or a test's replacement answers.
import { AgentError } from '../../../errors.js'
import { messageOf } from '../../../base/message-of.js'
import { monotonicNow } from '../../../time/clock.js'
import type { ToolOutcome } from '../../../mcp-client/tool-result.js'

export interface ToolRequest {
  /** As the model sees it: `server__tool`. */
  name: string
  /** Parsed; the raw text if that failed. */
  arguments: unknown
  /** Why they could not be parsed. */
  arguments_error?: string
  call_id: string
}

export type ToolAnswer = ToolOutcome & { duration_ms: number }

/** A failing tool does not throw. */
export type CallTool = (request: ToolRequest) => Promise<ToolAnswer>

export function toolBorder(answer: (request: ToolRequest) => Promise<ToolOutcome>, signal: AbortSignal): CallTool {
  return async (request) => {
    const start = monotonicNow()
    const outcome = await answer(request).catch((error: unknown) => failed(error, signal))
    return { ...outcome, duration_ms: monotonicNow() - start }
  }
}

/** The end of the case is not the tool's error, and neither is a package that cannot work. */
function failed(error: unknown, signal: AbortSignal): ToolOutcome {
  if (signal.aborted || (error instanceof AgentError && error.code === 'config')) throw error
  return { error: messageOf(error) }
}
