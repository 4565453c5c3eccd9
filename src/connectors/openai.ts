// `openai`: chat completions of OpenAI and of any compatible endpoint.
import { completeChat } from './chat-completions.js'
import { openaiConnector } from './openai-endpoint.js'

export const createOpenaiConnector = openaiConnector('/chat/completions', () => completeChat)
