// `viva mcp`: the tools for agents and assistants, over standard streams or HTTP.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { STOP_SIGNALS, untilSignal } from '../signals.js'
import { parseDuration } from '../../base/duration.js'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import { isFolder } from '../../files/stat.js'
import { McpHost } from '../../mcp/host.js'
import type { CommandCall } from '../command.js'
import { endNow, onSuddenEnd } from '../ending.js'
import { describeError } from '../print-error.js'
import { warn } from '../say.js'
import { stderr } from '../terminal.js'

const LONGEST_ANSWER_MS = 45_000
const DEFAULT_ANSWER = '40s'
/** Calls get this long for an orderly end. */
const PATIENCE_MS = 8_000
const SHORTEST_TOKEN = 16

export async function mcp({ flags }: CommandCall): Promise<number> {
  const output = takeStdout()
  const project = projectOf(flags['project'])
  const host = new McpHost({
    ...(project !== undefined && { project }),
    cwd: process.cwd(),
    env: process.env,
    allow_live: flags['allow_live'] === true,
    answer_within_ms: answerWithin(flags['answer_within']),
    describeError,
    warn,
  })
  const spare = onSuddenEnd(() => host.killAll())
  try {
    await host.begin()
    if (flags['http'] === true) await overHttp(host, flags)
    else await overStreams(host, output)
    return 0
  } finally {
    const impatient = setTimeout(() => endNow(0), PATIENCE_MS)
    await host.close()
    clearTimeout(impatient)
    spare()
  }
}

/** Only messages of the protocol go to standard output, whatever else in this process prints. */
function takeStdout(): NodeJS.WriteStream {
  const output = process.stdout
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr })
  for (const name of ['log', 'info', 'debug', 'dir', 'table'] as const) console[name] = console.error
  return output
}

async function overStreams(host: McpHost, output: NodeJS.WriteStream): Promise<void> {
  const { serveStreams } = await import('../../mcp/stdio.js')
  const { createServer } = await import('../../mcp/server.js')
  const server = serveStreams(() => createServer(host), process.stdin, output, warn)
  await untilSignal(STOP_SIGNALS, server.ended)
  await server.close()
}

async function overHttp(host: McpHost, flags: Record<string, unknown>): Promise<void> {
  const { serveHttp } = await import('../../mcp/http.js')
  const token = givenToken()
  const server = await serveHttp(host, { port: Number(flags['port'] ?? 0), token, warn })
  stderr.write(`${server.url}\n`)
  stderr.write(token === undefined ? `Authorization: Bearer ${server.token}\n` : 'The token is VIVA_MCP_TOKEN.\n')
  stderr.write('Press Ctrl-C to stop.\n')
  await untilSignal(STOP_SIGNALS)
  await server.close()
}

function projectOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const project = resolve(given)
  if (isFolder(project)) return realpathSync(project)
  throw badFlag('--project', `no such folder: ${project}`)
}

function answerWithin(given: unknown): number {
  const text = typeof given === 'string' ? given : DEFAULT_ANSWER
  try {
    const within = parseDuration(text)
    if (within > 0 && within <= LONGEST_ANSWER_MS) return within
  } catch (error) {
    throw badFlag('--answer-within', messageOf(error))
  }
  throw badFlag('--answer-within', `must be at most 45s, found ${text}: clients give up on slow calls`)
}

function givenToken(): string | undefined {
  const token = process.env['VIVA_MCP_TOKEN']
  if (token === undefined || token === '') return undefined
  if (token.length >= SHORTEST_TOKEN && /^[\x21-\x7e]+$/.test(token)) return token
  throw new UserError({
    code: 'BAD_TOKEN',
    message: `VIVA_MCP_TOKEN must be at least ${SHORTEST_TOKEN} printable characters without spaces`,
    hint: 'leave it out to get a new token, or create one: openssl rand -hex 24',
  })
}

function badFlag(flag: string, message: string): UserError {
  return new UserError({ code: 'BAD_FLAG', subject: { flag }, message, hint: 'see viva mcp --help' })
}
