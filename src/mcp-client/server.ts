// An MCP server that Viva starts or calls: where it is, as plain data.

export interface StdioServer {
  transport: 'stdio'
  command: string
  args: string[]
  /** The same arguments for another working folder: those that name files are absolute. */
  argsElsewhere?: string[]
  env: Record<string, string>
  cwd: string
}

export interface HttpServer {
  /** `http`: the streamable transport. */
  transport: 'http' | 'sse'
  url: string
  headers: Record<string, string>
}

/** `file`: where it is configured, or the target as written; for errors. */
export type RemoteServer = { file: string; description?: string } & (StdioServer | HttpServer)
