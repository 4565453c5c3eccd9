// The types of connectors. A new one is a file, a row here, and the table of behaviours runs against it.
import type { AuthMode, CreateConnector } from './types.js'

export interface ConnectorKind {
  type: string
  /** How its key can be sent, if the file may choose. */
  authModes?: AuthMode[]
  /** It is asked over the wire of a vendor, which is particular about the names and schemas of tools. */
  isVendor?: true
  load(): Promise<CreateConnector>
}

export const CONNECTOR_KINDS: readonly ConnectorKind[] = [
  {
    type: 'openai',
    isVendor: true,
    authModes: ['bearer', 'api-key', 'x-api-key'],
    load: async () => (await import('./openai.js')).createOpenaiConnector,
  },
  {
    type: 'openai-responses',
    isVendor: true,
    authModes: ['bearer', 'api-key', 'x-api-key'],
    load: async () => (await import('./openai-responses.js')).createResponsesConnector,
  },
  {
    type: 'anthropic',
    isVendor: true,
    authModes: ['x-api-key', 'bearer'],
    load: async () => (await import('./anthropic.js')).createAnthropicConnector,
  },
  { type: 'google', isVendor: true, load: async () => (await import('./google.js')).createGoogleConnector },
  { type: 'ai-sdk', isVendor: true, load: async () => (await import('./ai-sdk.js')).createAiSdkConnector },
  { type: 'mock', load: async () => (await import('./mock.js')).createMockConnector },
  { type: 'echo', load: async () => (await import('./echo.js')).createEchoConnector },
]
