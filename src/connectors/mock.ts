// `mock`: scripted answers, in order and per conversation, so that parallel cases do not disturb each other.
import { AgentError, UserError } from '../errors.js'
import type { Completion, CompletionRequest, Connector, MockResponse } from '../model/connector.js'
import { defined } from '../base/defined.js'
import { lastUserText } from '../model/last-user-text.js'
import { isRecord, readString } from '../base/record.js'
import { asText, preview } from '../base/text.js'
import { writeFilesInside } from '../files/write-inside.js'
import { checkResponses, loadMockFile } from './mock-file.js'
import { MockScript, scriptedError, waitFor } from './mock-script.js'
import { normalizeToolCalls } from './tool-calls.js'
import type { ConnectorFile, ConnectorTools } from './types.js'
import { normalizeUsage } from './usage.js'

export async function createMockConnector(file: ConnectorFile, tools: ConnectorTools): Promise<Connector> {
  requireOneSource(file)
  const script = readString(file.options['script'])
  const next = script === undefined ? fromList(file, await listOf(file)) : fromScript(file, script, tools)
  return {
    id: file.id,
    type: 'mock',
    async complete(request) {
      const response = await next(request)
      await waitFor(response, request.signal)
      if (response.files) writeFiles(response.files, request)
      if (response.error !== undefined) throw scriptedError(response.error)
      return completionOf(response, request)
    },
  }
}

const SOURCES = ['responses', 'file', 'script'] as const

function requireOneSource({ options, file, id }: ConnectorFile): void {
  const given = SOURCES.filter((name) => options[name] !== undefined)
  const unknown = Object.keys(options).find(
    (name) => !(SOURCES as readonly string[]).includes(name) && name !== 'model',
  )
  if (given.length < 2 && unknown === undefined) return
  throw new UserError({
    code: 'BAD_OPTION',
    message:
      unknown === undefined
        ? `options of ${file ?? id} has both ${given.slice(0, 2).join(' and ')}`
        : `options.${unknown} of ${file ?? id} has no effect in a mock`,
    hint: 'a mock answers from one of responses (a list), file (a path) or script (scripts.a.b.Function)',
  })
}

type Next = (request: CompletionRequest) => Promise<MockResponse> | MockResponse

async function listOf(file: ConnectorFile): Promise<MockResponse[]> {
  const where = file.file ?? file.id
  const { responses, file: name } = file.options
  if (responses !== undefined) return checkResponses(responses, `options.responses of ${where}`)
  if (typeof name === 'string') return loadMockFile(name, file.folders, where)
  throw new UserError({
    code: 'NO_MOCK_RESPONSES',
    message: `${where} has nothing to answer with`,
    hint: 'give options one of responses (a list), file (a path) or script (scripts.a.b.Function)',
  })
}

function fromList(file: ConnectorFile, responses: MockResponse[]): Next {
  const script = new MockScript(responses)
  return (request) => {
    const text = lastUserText(request.messages)
    const response = script.take(request.conversation, text, readString(request.metadata?.['hat']))
    if (!response) throw exhausted(file, responses.length, script.used(request.conversation), text)
    return response
  }
}

function fromScript(file: ConnectorFile, script: string, { callScript }: ConnectorTools): Next {
  return async ({ messages, tools, options, conversation, metadata, call, signal }) => {
    if (!callScript) throw new Error('this mock needs scripts, and none are connected')
    const value = await callScript(script, [{ messages, tools, options, conversation, metadata, call }], signal)
    if (!isRecord(value)) return { output: value }
    const [response] = checkResponses([value], `the answer of ${script} (${file.file ?? file.id})`)
    return response ?? {}
  }
}

/** A scripted agent may write files, if the case has a workspace for them. */
function writeFiles(files: Record<string, string>, { workspace }: CompletionRequest): void {
  if (workspace === undefined)
    throw new AgentError({
      code: 'config',
      message: 'a mock response has files, but the case has no workspace to write them to',
      hint: 'give the case a workspace, or remove files',
    })
  writeFilesInside(workspace, files)
}

function completionOf(response: MockResponse, request: CompletionRequest): Completion {
  const content = asText(response.output)
  const tool_calls = normalizeToolCalls(response.tool_calls).map((call, index) => ({
    ...call,
    id: call.id ?? `call_${request.messages.length}_${index + 1}`,
  }))
  if (content !== '') request.onChunk?.(content)
  const finishReason = response.finish_reason ?? (tool_calls.length > 0 ? 'tool_calls' : 'stop')
  return {
    content,
    tool_calls,
    finish_reason: finishReason,
    refusal: finishReason === 'refusal',
    ...defined({
      unsigned: request.signed && true,
      awaiting_input: response.awaiting_input,
      input_hint: response.input_hint,
      usage: normalizeUsage(response.usage && { input_tokens: 0, output_tokens: 0, ...response.usage }),
      exit_code: response.exit_code,
    }),
  }
}

function exhausted(file: ConnectorFile, total: number, taken: number, text: string): AgentError {
  const left = total - taken
  return new AgentError({
    code: 'exhausted',
    message:
      left === 0
        ? `the mock "${file.id}" has no response left: all ${total} were used in this conversation`
        : `the mock "${file.id}" has no response for "${preview(text, 80)}": ${taken} of ${total} were used, and no trigger_pattern of the other ${left} matches`,
    hint: `add a response to ${asText(file.options['file']) || (file.file ?? 'the connector')}`,
  })
}
