// `mcp:COMMAND …` and `mcp:https://…`, as a flag or `agents` in the configuration spells them → a server.
import { bearer } from '../connectors/env-values.js'
import { twoKeys } from '../connectors/endpoint-key.js'
import { UserError } from '../errors.js'
import { takeCredentials } from '../http/credentials.js'
import type { AgentEntry } from '../model/config.js'
import { parseCommand } from '../process/parse-command.js'
import type { Processes } from '../process/processes.js'
import type { RemoteServer } from './server.js'

export interface McpTargetContext {
  /** The base of a relative command and of `cwd` in the entry. */
  cwd: string
  env: Record<string, string | undefined>
  processes: Processes
  /** Where a key is given, for errors. */
  keySource?: string
}

/** Throws a UserError for a command that cannot be found, or an address that cannot be called. */
export function parseMcpTarget(
  { target, env = {}, cwd, headers = {}, key }: AgentEntry,
  context: McpTargetContext,
): RemoteServer {
  const given = target.replace(/^mcp:/i, '').trim()
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    const { file, args, argsElsewhere, folder } = parseCommand(`mcp:${given}`, context.cwd, cwd, context.processes)
    return { transport: 'stdio', file: target, command: file, args, argsElsewhere, env, cwd: folder }
  }
  const url = parseUrl(given)
  const credentials = takeCredentials(url)
  const { keySource = '--key-env' } = context
  if (key !== undefined && credentials) throw twoKeys(keySource)
  const authorization = key === undefined ? credentials?.authorization : bearer(key, context.env, keySource)
  return {
    transport: 'http',
    file: `mcp:${url.href}`,
    url: url.href,
    headers: authorization === undefined ? headers : { ...headers, authorization },
  }
}

function parseUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UserError({
    code: 'BAD_URL',
    message: `"${given.replace(/\/\/[^/]*@/, '//[SECRET]@')}" is not the URL of an MCP server`,
    hint: 'an MCP server is a command (mcp:node server.mjs) or an address that starts with http:// or https://',
  })
}
