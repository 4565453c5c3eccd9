// `viva mock-mcp`: tools outside a test run, with one store for as long as they are served; inside one, the tools of the case.
import { connectServer } from '../mcp-client/mcp-connection.js'
import { defined } from '../base/defined.js'
import { show } from '../base/text.js'
import { findAppRoot } from '../files/app-root.js'
import { openHttp } from '../http/open-http.js'
import type { ToolOutcome } from '../model/given-tools.js'
import { Processes } from '../process/processes.js'
import { openScripts } from '../scripts/host/runtime.js'
import { Clock } from '../time/clock.js'
import type { ServedTools } from './mcp-server.js'
import { openTools } from './open-tools.js'
import { readTools } from './read-tools.js'

export interface ServeIo {
  cwd: string
  env: Record<string, string | undefined>
  warn(text: string): void
  /** What was called, for people. */
  say(line: string): void
}

export interface FileTools extends ServedTools {
  close(): Promise<void>
}

/** Throws a UserError if the file cannot be used. */
export async function openToolFile(file: string, io: ServeIo): Promise<FileTools> {
  const { cwd, env, warn } = io
  const appRoot = findAppRoot(cwd, cwd)
  const clock = new Clock()
  const http = openHttp({ env })
  const processes = new Processes({ env, cwd, warn })
  const scripts = openScripts({
    appRoot,
    processes,
    http,
    clock,
    poolSize: 1,
    handlers: { process: (name) => Promise.reject(new Error(`there is no run that could call ${name}`)) },
    onLog: (line) => io.say(line),
  })
  const close = async (): Promise<void> => {
    await scripts.close()
    await processes.close()
    await http.close()
  }
  try {
    const read = await readTools({ file, dir: cwd, appRoot, allowOutside: true }, { scripts, clock })
    const tools = await openTools(read, scripts, {
      context: { case_id: 'mock-mcp', run: 1, attempt: 1, metadata: {} },
      signal: new AbortController().signal,
      onLog: (line) => io.say(line),
    })
    const serve = async (name: string, args: unknown): Promise<ToolOutcome> => {
      const outcome = await tools.serve(name, args)
      await tools.taken()
      const end = 'error' in outcome ? `error ${show(outcome.error)}` : show(outcome.result)
      io.say(`${show(name)} ${show(args)} → ${end}`)
      return outcome
    }
    return {
      specs: tools.specs,
      serve,
      async close() {
        tools.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The tools that Viva serves to an agent at `url`, for an agent that can only start its servers. */
export async function openCaseAddress(url: string, io: ServeIo): Promise<FileTools> {
  const http = openHttp({ env: io.env })
  const processes = new Processes({ env: io.env, cwd: io.cwd, warn: io.warn })
  const { signal } = new AbortController()
  const server = { transport: 'http' as const, file: 'VIVA_MOCK_MCP', url, headers: {} }
  const connection = await connectServer(server, { env: {}, http, pass_env: [], processes }, { onEnd() {}, signal })
  return {
    specs: connection.tools.map(({ name, description, input_schema }) => ({
      name,
      input_schema,
      ...defined({ description }),
    })),
    serve: (name, args) => connection.call(name, args as Record<string, unknown>, signal),
    async close() {
      await connection.close()
      await processes.close()
      await http.close()
    },
  }
}
