// The result of a tool that a case called → the answer that is judged.
import { AgentError } from '../../errors.js'
import { isRecord } from '../../base/record.js'
import type { Exchange } from '../../mcp-client/exchange.js'
import { parseToolContent, toolText } from '../../mcp-client/tool-result.js'
import type { AgentReply } from '../../model/agent.js'
import type { CallPart } from '../../model/tool-call-part.js'

/**
 * `structuredContent` is the answer, else `content` in the way packages see it. The whole result is the result of the
 * tool call. An error is an answer `{error}`: a case that looks at it expects it, any other fails.
 */
export function callReply({ tool, arguments: args }: CallPart, exchange: Exchange): AgentReply {
  const { answer } = exchange
  if (answer && 'error' in answer) {
    const { error } = answer
    const words = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : toolText(error)
    return { content: { error }, error, tool_calls: [{ name: tool, args, error: words }] }
  }
  const result = answer?.result
  if (!isRecord(result) || !isResult(result)) throw notAResult(tool, result)
  const { content, structuredContent, isError } = result
  if (isError === true) {
    const error = toolText(parseToolContent(content)) || 'the tool reported an error without a message'
    return { content: { error }, error, tool_calls: [{ name: tool, args, result, error }] }
  }
  const shown = structuredContent ?? (isEmpty(content) ? [] : parseToolContent(content))
  return { content: shown, tool_calls: [{ name: tool, args, result }] }
}

/** A result without `content` has something to judge if it is structured. */
function isResult({ content, structuredContent, isError }: Record<string, unknown>): boolean {
  const hasContent = Array.isArray(content) || (content === undefined && isRecord(structuredContent))
  return hasContent && (isError === undefined || typeof isError === 'boolean')
}

function isEmpty(content: unknown): boolean {
  return !Array.isArray(content) || content.length === 0
}

function notAResult(tool: string, found: unknown): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the result of ${tool} does not follow the protocol: expected an object with a list "content", and true or false as "isError" if there is one, found ${toolText(found).slice(0, 200)}`,
    retry: false,
  })
}
