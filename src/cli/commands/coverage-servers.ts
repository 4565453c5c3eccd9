// Starts MCP servers to list their tools, for `viva coverage`; none of their tools is called.
import { AgentError, UserError } from '../../errors.js'
import { parseCommand } from '../../process/parse-command.js'
import { connectServer } from '../../mcp-client/mcp-connection.js'
import { openHttp } from '../../http/open-http.js'
import { Processes } from '../../process/processes.js'
import type { RemoteServer } from '../../mcp-client/server.js'
import type { ListedTool } from '../../suite/coverage/surface.js'
import { warn } from '../say.js'
import type { Signals } from '../signals.js'

export interface ServerLists {
  /** Of a server of a package. */
  list(server: RemoteServer): Promise<ListedTool[]>
  /** Of a server given as a command or a URL. */
  listGiven(given: string): Promise<{ label: string; tools: ListedTool[] }>
  close(): Promise<void>
}

export function openServerLists(signals: Signals, cwd: string, passEnv: string[]): ServerLists {
  const { env } = process
  const processes = new Processes({ env, cwd, warn })
  signals.useProcesses(processes)
  const http = openHttp({ env })
  const list: ServerLists['list'] = async (server) => {
    try {
      const connection = await connectServer(
        server,
        { env, http, pass_env: passEnv, processes },
        { onEnd: () => {}, signal: signals.stop },
      )
      await connection.close()
      return connection.tools
    } catch (error) {
      throw error instanceof AgentError ? notListed(error) : error
    }
  }
  const remoteOf = (given: string): RemoteServer => {
    if (/^https?:/.test(given)) return { transport: 'http', file: given, url: given, headers: {} }
    const { file, args, folder } = parseCommand(`mcp:${given}`, cwd, undefined, processes)
    return { transport: 'stdio', file: given, command: file, args, env: {}, cwd: folder }
  }
  return {
    list,
    listGiven: async (given) => ({ label: given, tools: await list(remoteOf(given.replace(/^mcp:/, ''))) }),
    close: async () => {
      await processes.close()
      await http.close()
    },
  }
}

function notListed(error: AgentError): UserError {
  return new UserError({
    code: 'NO_TOOL_LIST',
    message: error.message,
    hint: error.hint ?? 'start it by hand to see what is wrong',
    cause: error,
  })
}
