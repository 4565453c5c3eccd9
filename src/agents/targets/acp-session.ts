// One program that speaks ACP, with one session in it.
import { Readable, Writable } from 'node:stream'
import type { ClientConnection, McpServer, PermissionOption, PromptResponse } from '@agentclientprotocol/sdk'
import { AgentError } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { TailBuffer } from '../../base/output-buffer.js'
import type { Processes } from '../../process/processes.js'
import type { ProcessSpec, RunningProcess } from '../../process/start-process.js'
import { isRecord, readString } from '../../base/record.js'
import { errorFacts } from '../../http/error-facts.js'
import { errorInPiece } from '../../http/reported-error.js'
import { errorText } from '../reply/error-text.js'
import type { AcpAnswer } from './acp-answer.js'
import { bridgeCommand, MOCK_MCP } from './mock-mcp.js'

export interface AcpSession {
  /** As the agent calls itself. */
  agent: string | undefined
  /** The names of the commands that it offers at the moment, if it says: for some agents, skills are among them. */
  commands(): string[] | undefined
  /** Resolves with the result of the turn, or whatever was given for one. */
  prompt(text: string, answer: AcpAnswer): Promise<unknown>
  /** Ends the program and everything it started; resolves with what it had left behind. */
  end(): Promise<string[]>
}

const STDERR_BYTES = 16 * 1024
const AUTH_REQUIRED = -32000
/** Otherwise the adapters of claude and codex write errors and warnings into the answer, and end the turn well. */
const TYPED_FAILURES = { jetbrains: { air: { version: 1, capabilities: ['sessionFailure'] } } }

export async function openAcpSession(
  processes: Processes,
  spec: ProcessSpec & { signal: AbortSignal; cwd: string; mockMcp?: string },
): Promise<AcpSession> {
  const acp = await import('@agentclientprotocol/sdk')
  // The signal belongs to the first call only; the program may live for further turns.
  const { signal, mockMcp, ...rest } = spec
  const running = await processes.start({ ...rest, patience: signal })
  const stderr = new TailBuffer(STDERR_BYTES)
  running.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  let listener: AcpAnswer | undefined
  let session: string | undefined
  let failure: unknown
  const offered = new Map<unknown, string[]>()

  const app = acp
    .client({ name: 'viva' })
    // Tests are unattended: grant each permission the agent asks for, once.
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => ({ outcome: allow(params.options) }))
  const takeUpdate = (params: unknown): void => {
    if (!isRecord(params)) return
    const commands = commandsIn(params['update'])
    if (commands) offered.set(params['sessionId'], commands)
    // What an agent says in another session is not an answer in this one.
    if (params['sessionId'] === session) listener?.take(params['update'])
  }
  const { readable, writable } = acp.ndJsonStream(
    Writable.toWeb(running.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(running.stdout) as ReadableStream<Uint8Array>,
  )
  const watched = watch(readable, takeUpdate, (error) => {
    failure ??= error
    running.end()
  })
  const connection: ClientConnection = app.connect({ readable: watched, writable })
  const call = <T>(work: Promise<T>): Promise<T> => orDead(work, running, stderr, () => failure)
  const onAbort = (): void => running.end()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const initialized: unknown = await call(
      connection.agent.request(acp.methods.agent.initialize, {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          terminal: false,
          _meta: TYPED_FAILURES,
        },
        clientInfo: { name: 'viva', version: '1' },
      }),
    )
    const { sessionId } = await call(
      connection.agent.request(acp.methods.agent.session.new, {
        cwd: spec.cwd,
        mcpServers: mockMcp === undefined ? [] : [mcpServer(mockMcp, initialized)],
      }),
    )
    const about = isRecord(initialized) ? initialized['agentInfo'] : undefined
    return {
      agent: isRecord(about) ? readString(about['name']) : undefined,
      commands: () => offered.get(sessionId),
      async prompt(text, answer) {
        listener = answer
        session = sessionId
        const prompt = [{ type: 'text' as const, text }]
        const ended: unknown = await call<PromptResponse>(
          connection.agent.request(acp.methods.agent.session.prompt, { sessionId, prompt }),
        )
        if (failure !== undefined) throw failure
        return ended
      },
      async end() {
        running.end()
        connection.close()
        return (await running.done).leaked
      },
    }
  } catch (error) {
    running.end()
    connection.close()
    await running.done
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function commandsIn(update: unknown): string[] | undefined {
  if (!isRecord(update) || update['sessionUpdate'] !== 'available_commands_update') return undefined
  const list = update['availableCommands']
  if (!Array.isArray(list)) return undefined
  return list.flatMap((command: unknown) => (isRecord(command) ? (readString(command['name']) ?? []) : []))
}

/** Every agent starts servers; not every one connects to them. */
function mcpServer(url: string, initialized: unknown): McpServer {
  const capabilities = isRecord(initialized) ? initialized['agentCapabilities'] : undefined
  const mcp = isRecord(capabilities) ? capabilities['mcpCapabilities'] : undefined
  if (isRecord(mcp) && mcp['http'] === true) return { type: 'http', name: 'viva', url, headers: [] }
  const [command, ...args] = bridgeCommand()
  return { name: 'viva', command, args, env: [{ name: MOCK_MCP, value: url }] }
}

/** The package drops what it does not know or cannot parse: an error, a piece of the answer or a call may be among it. */
function watch<T>(
  messages: ReadableStream<T>,
  takeUpdate: (params: unknown) => void,
  onError: (error: unknown) => void,
): ReadableStream<T> {
  return messages.pipeThrough(
    new TransformStream<T, T>({
      transform(message, controller) {
        const reported = errorInMessage(message)
        if (reported) return onError(reported)
        if (!isRecord(message) || message['method'] !== 'session/update') return controller.enqueue(message)
        try {
          takeUpdate(message['params'])
        } catch (error) {
          onError(error)
        }
      },
    }),
  )
}

/** Besides the protocol's own way: the error answer to a request. */
function errorInMessage(message: unknown): AgentError | undefined {
  if (!isRecord(message)) return undefined
  const { id, method, params, error } = message
  if (isRecord(error) && ('result' in message || id === null || id === undefined)) return protocolError(error)
  if (typeof method !== 'string' || !isRecord(params)) return undefined
  const { update } = params
  const found = isRecord(update) ? errorInPiece({ ...update, type: update['sessionUpdate'] }) : undefined
  const reported = found ?? (/(?:^|\/)error$/.test(method) ? { error: params } : undefined)
  if (!reported) return undefined
  return protocolError(isRecord(reported.error) ? reported.error : { message: errorText(reported.error) })
}

/** A request to a program that ends is never answered; its exit and its last words say why it ended. */
async function orDead<T>(
  work: Promise<T>,
  running: RunningProcess,
  stderr: TailBuffer,
  failure: () => unknown,
): Promise<T> {
  const died = running.done.then(({ exitCode, signal }): never => {
    const how = signal ? `killed by ${signal}` : `exit code ${exitCode}`
    const words = stderr.text().trimEnd().split('\n').slice(-5).join('\n')
    throw new AgentError({
      code: 'crashed',
      message: `the program ended before it answered (${how})${words ? `: ${words}` : ''}`,
      hint: 'run it by hand: it must speak the Agent Client Protocol on its standard input and output',
    })
  })
  died.catch(() => {})
  try {
    return await work
  } catch (error) {
    if (failure() !== undefined) throw failure()
    // A closed connection is noticed before the end of the process is.
    if (!isRecord(error) || typeof error['code'] !== 'number') return died
    throw protocolError(error)
  }
}

function protocolError(error: Record<string, unknown>): AgentError {
  const message = readString(error['message']) ?? errorText(error)
  const details = isRecord(error['data']) ? error['data']['details'] : error['data']
  const auth = error['code'] === AUTH_REQUIRED
  return new AgentError({
    code: auth ? 'auth' : 'failed',
    message: typeof details === 'string' ? `${message}: ${details}` : message,
    cause: error,
    ...errorFacts(error),
    ...defined({
      hint: auth ? 'log in with the program itself first, or pass its key with --pass-env' : undefined,
    }),
  })
}

function allow(options: PermissionOption[]): { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } {
  const option =
    options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always')
  return option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' }
}
