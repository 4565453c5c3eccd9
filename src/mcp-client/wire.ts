// The transport of a server, with what it says about itself when something goes wrong.
import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { defined } from '../base/defined.js'
import { expandEnv, expandHeaders } from '../connectors/env-values.js'
import { createFetch, streamOf } from '../http/fetch.js'
import type { HttpClient, HttpResponse } from '../http/types.js'
import type { Processes } from '../process/processes.js'
import type { ProcessEnd } from '../process/start-process.js'
import type { RemoteServer } from './server.js'
import { createStdioTransport, MAX_MESSAGE_BYTES, type StdioOptions } from './stdio-transport.js'
import { within } from './within.js'

export interface McpEnvironment {
  env: Record<string, string | undefined>
  http: HttpClient
  pass_env: string[]
  processes: Processes
}

export interface WireOptions extends StdioOptions {
  /** The working folder of a program, in place of its own. */
  cwd?: string | undefined
  /** Further variables for a program. */
  env?: Record<string, string> | undefined
  /** Between asking a program to end and killing it. */
  graceMs?: number | undefined
}

export interface Wire {
  transport: Transport
  stderrTail(): string
  /** Why Viva ended the connection: a message that was too large. */
  fault(): string | undefined
  /** How the program ended, if it has. */
  end(): ProcessEnd | undefined
  /** Ends the connection; a session on an endpoint gets `patienceMs` to be ended there, too. */
  close(patienceMs: number): Promise<void>
}

export function openWire(
  server: RemoteServer,
  { env, http, pass_env, processes }: McpEnvironment,
  options: WireOptions = {},
): Wire {
  if (server.transport === 'stdio') {
    const own = expandEnv(server.env, env, server.file) as Record<string, string>
    const { command, args, argsElsewhere = args } = server
    const stdio = createStdioTransport(
      processes,
      {
        command,
        args: options.cwd === undefined ? args : argsElsewhere,
        cwd: options.cwd ?? server.cwd,
        env: { ...own, ...options.env },
        passEnv: pass_env,
        ...defined({ graceMs: options.graceMs }),
      },
      options,
    )
    return { ...stdio, close: () => stdio.transport.close() }
  }
  const limit = createLimit(options.maxMessageBytes ?? MAX_MESSAGE_BYTES)
  const url = new URL(String(expandEnv(server.url, env, server.file)))
  const settings = {
    requestInit: { headers: expandHeaders(server.headers, env, server.file) },
    fetch: createFetch(http, limit.bodyOf),
  }
  const shared = { stderrTail: () => '', fault: limit.fault, end: () => undefined }
  if (server.transport === 'sse') {
    const transport = new SSEClientTransport(url, settings)
    return { ...shared, transport, close: () => transport.close() }
  }
  const transport = new StreamableHTTPClientTransport(url, settings)
  return {
    ...shared,
    transport,
    async close(patienceMs) {
      await within(transport.terminateSession(), { timeoutMs: patienceMs }).catch(() => {})
      await transport.close()
    },
  }
}

/** Words for errors: what a program wrote last. */
export function stderrWords({ stderrTail }: Wire): string {
  return stderrTail() === '' ? '' : `; it wrote: ${stderrTail()}`
}

function createLimit(maxBytes: number): {
  bodyOf(response: HttpResponse): ReadableStream
  fault: () => string | undefined
} {
  let fault: string | undefined
  const refuse = (): Error => {
    fault = `it sent a message of more than ${Math.round(maxBytes / 1024 / 1024)} MB`
    return new Error(fault)
  }
  return {
    fault: () => fault,
    bodyOf(response) {
      const isStream = response.headers['content-type']?.includes('text/event-stream') ?? false
      let bytes = 0
      return streamOf(response).pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            bytes += chunk.byteLength
            if (bytes > maxBytes) return controller.error(refuse())
            // A stream stays open for as long as the session: the limit is for each of its events.
            if (isStream && endsEvent(chunk)) bytes = 0
            controller.enqueue(chunk)
          },
        }),
      )
    },
  }
}

function endsEvent(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return bytes.includes('\n\n') || bytes.includes('\r\n\r\n') || bytes.includes('\r\r')
}
