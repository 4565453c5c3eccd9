// A connection to a real MCP server through the official client. Imported only when a package has such a server.
import { Client } from '@modelcontextprotocol/client'
import { AgentError } from '../errors.js'
import type { ToolSpec } from '../model/connector.js'
import { defined } from '../base/defined.js'
import { messageOf } from '../base/message-of.js'
import type { RemoteServer } from './server.js'
import { parseToolContent, type ToolOutcome, toolText } from './tool-result.js'
import { openWire, stderrWords, type McpEnvironment } from './wire.js'

export interface McpConnection {
  /** Names without the server. */
  tools: ToolSpec[]
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome>
  close(): Promise<void>
}

const CONNECT_MS = 30_000
// The deadline of the case ends a call; the client's own limit of a minute would end long tools early.
const CALL_MS = 2 ** 31 - 1

export interface ConnectionLife {
  /** The server is gone, and the connection with it. */
  onEnd(): void
  /** Aborting gives up on a server that has not answered yet. */
  signal: AbortSignal
}

export async function connectServer(
  server: RemoteServer,
  environment: McpEnvironment,
  { onEnd, signal }: ConnectionLife,
): Promise<McpConnection> {
  const client = new Client({ name: 'viva', version: '1' })
  const wire = openWire(server, environment)
  let hasEnded = false
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an EventTarget
  client.onclose = () => {
    hasEnded = true
    onEnd()
  }
  const ended = (cause: unknown): unknown =>
    hasEnded
      ? new Error(['the tool server ended before it answered', wire.fault()].filter(Boolean).join(': '), { cause })
      : cause
  try {
    const patience = { timeout: CONNECT_MS, signal }
    await client.connect(wire.transport, patience)
    // Asked for tools that a server does not announce, the client would print to standard output.
    const hasTools = client.getServerCapabilities()?.tools !== undefined
    const { tools } = hasTools ? await client.listTools(undefined, patience) : { tools: [] }
    return {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        input_schema: inputSchema as Record<string, unknown>,
        ...defined({ description }),
      })),
      call: (tool, args, signal) =>
        callTool(client, tool, args, signal).catch((error: unknown) => {
          throw ended(error)
        }),
      close: () => client.close(),
    }
  } catch (cause) {
    await client.close().catch(() => {})
    const reason = messageOf(cause)
    throw new AgentError({
      code: 'connection',
      message: `the tool server of ${server.file} did not start: ${reason}${stderrWords(wire)}`,
      hint:
        server.transport === 'stdio'
          ? `it is started as: ${[server.command, ...server.args].join(' ')}`
          : `its address is ${server.url}`,
      cause,
    })
  }
}

async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const result = await client.callTool({ name, arguments: args }, { signal, timeout: CALL_MS })
  const value = parseToolContent(result.content)
  if (result.isError) return { error: toolText(value) || 'the tool reported an error without a message' }
  return { result: value ?? result.structuredContent ?? null }
}
