// `viva mcp` driven by the official client, in a project and a temporary folder made for one test.
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { spawn, type ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { BIN, makeFolder, type Files } from '../support/run-cli.js'

export type Way = 'stdio' | 'http' | 'http 2026'
export const WAYS: Way[] = ['stdio', 'http', 'http 2026']

export interface Setting {
  files?: Files
  project?: string
  /** Where workspaces are: servers with the same one share a registry. */
  temporary?: string
  args?: string[]
  env?: Record<string, string>
  /** Folders that the client says it works in. Default: the server is told its project. */
  roots?: string[]
  /** Where the server is started, without being told its project. */
  cwd?: string
  client?: ClientOptions
}

/** Fields are looked at one by one: a test says what it expects of each. */
// oxlint-disable-next-line typescript/no-explicit-any
type Fields = Record<string, any>

export interface Called {
  isError: boolean
  /** What it returns, without what every answer carries. */
  value: Fields
  answer: Fields
  text: string
  bytes: number
  raw: Fields
}

export interface Connected {
  client: Client
  project: string
  temporary: string
  pid: number
  call(name: string, args?: object, options?: Parameters<Client['callTool']>[1]): Promise<Called>
}

export async function connect(way: Way, setting: Setting = {}): Promise<Connected> {
  const project = setting.project ?? makeFolder(setting.files)
  const temporary = setting.temporary ?? makeFolder()
  const { roots, cwd = temporary } = setting
  const isTold = roots === undefined && setting.cwd === undefined
  const args = ['mcp', ...(isTold ? ['--project', project] : []), ...(setting.args ?? [])]
  const env = { ...serverEnv(temporary), ...setting.env }
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(roots && { capabilities: { roots: {} } }),
      ...(way === 'http 2026' && { versionNegotiation: { mode: 'auto' as const } }),
      ...setting.client,
    },
  )
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }))
  onTestFinished(() => client.close())
  let pid = 0
  if (way === 'stdio') {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, ...args],
      env,
      cwd,
      stderr: 'ignore',
    })
    await client.connect(transport)
    pid = transport.pid ?? 0
  } else {
    const server = await startHttp(args, env, cwd)
    pid = server.process.pid ?? 0
    await client.connect(httpTransport(server))
  }
  return { client, project, temporary, pid, call: caller(client) }
}

export function caller(client: Client): Connected['call'] {
  return async (name, args = {}, options) =>
    readCall(await client.callTool({ name, arguments: args as Record<string, unknown> }, options))
}

function readCall(raw: Fields): Called {
  const { answer = {}, ...value } = (raw['structuredContent'] ?? {}) as Fields
  const content = raw['content'] as Array<{ type: string; text?: string }>
  return {
    isError: raw['isError'] === true,
    value,
    answer: answer as Fields,
    text: content[0]?.text ?? '',
    bytes: Buffer.byteLength(JSON.stringify(raw)),
    raw,
  }
}

/** As little as a desktop application provides: the server must not need more. */
export function serverEnv(temporary: string): Record<string, string> {
  return { PATH: '/usr/bin:/bin', HOME: temporary, TMPDIR: temporary }
}

export interface HttpServer {
  process: ChildProcess
  url: string
  token: string
}

export function httpTransport({ url, token }: HttpServer): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
}

export async function startHttp(args: string[], env: Record<string, string>, cwd: string): Promise<HttpServer> {
  const child = spawn(process.execPath, [BIN, ...args, '--http'], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, url] = /^(http:\S+)$/m.exec(said) ?? []
      const [, token] = /^Authorization: Bearer (\S+)$/m.exec(said) ?? []
      if (url !== undefined && token !== undefined) resolve({ process: child, url, token })
    })
  })
}

/** One iteration that publishes an event, without a model. */
export const ONE_ITERATION = {
  task: 'do it',
  backend: 'mock',
  max_iterations: 1,
  mock_responses: [{ hat: 'planner', output: '<event topic="build.task">x</event>' }],
}

/** Takes an hour unless it is ended. */
export const ENDLESS = {
  task: 'do it',
  backend: 'mock',
  max_runtime_secs: 7_200,
  mock_responses: [{ output: 'late', delay_ms: 3_600_000 }],
}
