// SDKs that throw where their model refused: OpenAI Agents.
import { isRecord } from '../../base/record.js'
import type { AgentReply } from '../../model/agent.js'

/** What was called before is not in the error. */
export function thrownRefusal(thrown: unknown): AgentReply | undefined {
  const error: unknown = thrown instanceof Error && isRefusal(thrown.cause) ? thrown.cause : thrown
  if (!isRefusal(error)) return undefined
  return {
    content: error.refusal,
    tool_calls: [],
    tool_evidence: 'partial',
    finish_reason: 'refusal',
    refusal: true,
  }
}

function isRefusal(error: unknown): error is { refusal: string } {
  return isRecord(error) && error.constructor.name === 'ModelRefusalError' && typeof error['refusal'] === 'string'
}
