// `openai-responses`: OpenAI's Responses API, and endpoints that speak it. Nothing is stored there: the conversation
// travels with every request, reasoning included.
import { AgentError } from '../errors.js'
import { completeAt, type WireFormat } from './model-endpoint.js'
import { openaiConnector, type Complete } from './openai-endpoint.js'
import { readResponse } from './responses-answer.js'
import { responsesBody } from './responses-request.js'
import { ResponsesStream } from './responses-stream.js'

export const createResponsesConnector = openaiConnector('/responses', createComplete)

function createComplete(): Complete {
  /** The model has no reasoning to encrypt, and refuses to be asked for it. */
  let isPlain = false
  return async (endpoint, call) => {
    if (isPlain) return completeAt(endpoint, call, PLAIN)
    try {
      return await completeAt(endpoint, call, REASONING)
    } catch (error) {
      if (!isAboutEncryption(error)) throw error
      isPlain = true
      return completeAt(endpoint, call, PLAIN)
    }
  }
}

function isAboutEncryption(error: unknown): boolean {
  return error instanceof AgentError && error.status === 400 && /encrypted.content/i.test(error.message)
}

const PLAIN: WireFormat = {
  name: 'Responses',
  body: (endpoint, call) => responsesBody(endpoint.model, call, []),
  readWhole: readResponse,
  readStream: (options, chunks) => new ResponsesStream(options).read(chunks),
}

const REASONING: WireFormat = {
  ...PLAIN,
  body: (endpoint, call) => responsesBody(endpoint.model, call, ['reasoning.encrypted_content']),
}
