// `echo`: a model that repeats what the user said last.
import type { Connector } from '../model/connector.js'
import { lastUserText } from '../model/last-user-text.js'
import type { ConnectorFile } from './types.js'

export function createEchoConnector(file: ConnectorFile): Connector {
  return {
    id: file.id,
    type: 'echo',
    complete({ messages, onChunk }) {
      const content = lastUserText(messages)
      onChunk?.(content)
      return Promise.resolve({ content, tool_calls: [], finish_reason: 'stop' })
    },
  }
}
