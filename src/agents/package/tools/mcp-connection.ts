// A connection to a real MCP server through the official client. Imported only when a package has such a server.
import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { expandEnv, expandHeaders } from '../../../connectors/env-values.js'
import { AgentError } from '../../../errors.js'
import type { ToolSpec } from '../../../model/connector.js'
import { defined } from '../../../base/defined.js'
import { messageOf } from '../../../base/message-of.js'
import { createFetch } from '../../../http/fetch.js'
import type { HttpClient } from '../../../http/types.js'
import type { Processes } from '../../../process/processes.js'
import { createStdioTransport } from './stdio-transport.js'
import { parseToolContent, type ToolOutcome, toolText } from './tool-result.js'
import type { ToolServer } from './tool-server.js'

export interface McpConnection {
  /** Names without the server. */
  tools: ToolSpec[]
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome>
  close(): Promise<void>
}

export interface McpEnvironment {
  env: Record<string, string | undefined>
  http: HttpClient
  pass_env: string[]
  processes: Processes
}

export type RemoteServer = Exclude<ToolServer, { transport: 'process' }>

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
  const { transport, why, fault } = openTransport(server, environment)
  let hasEnded = false
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an EventTarget
  client.onclose = () => {
    hasEnded = true
    onEnd()
  }
  const ended = (cause: unknown): unknown =>
    hasEnded ? new Error(`the tool server ended before it answered${fault()}`, { cause }) : cause
  try {
    const patience = { timeout: CONNECT_MS, signal }
    await client.connect(transport, patience)
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
      message: `the tool server of ${server.file} did not start: ${reason}${why()}`,
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

function openTransport(
  server: RemoteServer,
  { env, http, pass_env, processes }: McpEnvironment,
): { transport: Transport; why: () => string; fault: () => string } {
  if (server.transport === 'stdio') {
    const own = expandEnv(server.env, env, server.file) as Record<string, string>
    const { transport, stderrTail, fault } = createStdioTransport(processes, {
      command: server.command,
      args: server.args,
      cwd: server.cwd,
      env: own,
      passEnv: pass_env,
    })
    return {
      transport,
      why: () => (stderrTail() === '' ? '' : `; it wrote: ${stderrTail()}`),
      fault: () => (fault() === undefined ? '' : `: ${fault()}`),
    }
  }
  const url = new URL(String(expandEnv(server.url, env, server.file)))
  const options = {
    requestInit: { headers: expandHeaders(server.headers, env, server.file) },
    fetch: createFetch(http),
  }
  const transport =
    server.transport === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  return { transport, why: () => '', fault: () => '' }
}
