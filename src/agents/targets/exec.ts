// `exec:command …`: an agent that is a program. The conversation goes in on stdin, the answer comes out on stdout.
import { AgentError, answerTooLarge } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { defined } from '../../base/defined.js'
import { lastUserText } from '../../model/last-user-text.js'
import type { Processes } from '../../process/processes.js'
import { MAX_OUTPUT_BYTES, runProcess, type RunResult } from '../../process/run-process.js'
import { parseCommand } from '../../process/parse-command.js'
import { exitError, stderrTail } from './exit-error.js'
import { Histories } from '../histories.js'
import { mockMcpEnv } from './mock-mcp.js'
import { parseStructure } from '../reply/parse-structure.js'
import { parseReplyText } from '../reply/normalize-reply.js'
import { SHAPES, type MessageShape } from './sent-messages.js'

export interface ExecOptions {
  processes: Processes
  /** The base folder of a relative command and `entry.cwd`. */
  cwd?: string
  /** Environment variables to pass on, by name. */
  pass_env?: string[]
  /** Between SIGTERM and SIGKILL. */
  grace_ms?: number
}

export function createExecAgent(entry: AgentEntry | string, options: ExecOptions): Agent {
  const given: AgentEntry = typeof entry === 'string' ? { target: entry } : entry
  const { target, prompt_mode, env, cwd, description } = given
  const shape = SHAPES[given.messages ?? 'chat']
  const { processes } = options
  processes.requireSupport('exec agents')
  const histories = new Histories()
  const command = parseCommand(target, options.cwd ?? processes.cwd, cwd, processes)

  return {
    id: target,
    workspaces: 'folder',
    givenTools: 'served',
    ...defined({ description, sees: prompt_mode === 'arg' ? ('nothing' as const) : undefined }),
    async send(request) {
      const args = request.workspace === undefined ? command.args : command.argsElsewhere
      const result = await runProcess(processes, {
        command: command.file,
        args: prompt_mode === 'arg' ? withPrompt(args, lastUserText(request.messages)) : args,
        cwd: request.workspace ?? command.folder,
        stdin: prompt_mode === 'arg' ? '' : JSON.stringify(stdinDocument(request, shape, histories)),
        signal: request.signal,
        passEnv: options.pass_env ?? [],
        env: {
          ...env,
          ...request.env,
          ...mockMcpEnv(request),
          ...(request.traceparent && { TRACEPARENT: request.traceparent }),
        },
        ...defined({ graceMs: options.grace_ms, onStdout: request.onChunk }),
      })
      const reply = replyOf(result, request)
      histories.keep(request.context.chat_id, request.turn, parseStructure(result.stdout)?.value ?? reply.content)
      return reply
    },
    release: (chatId) => histories.forget(chatId),
  }
}

function stdinDocument(request: AgentRequest, shape: MessageShape, histories: Histories): unknown {
  const { messages, context, options, turn } = request
  return { messages: shape(messages), context, options: histories.addTo(options, context.chat_id, turn) }
}

/** Text that looks like an option goes after `--`. */
function withPrompt(args: string[], prompt: string): string[] {
  return prompt.startsWith('-') && !args.includes('--') ? [...args, '--', prompt] : [...args, prompt]
}

function replyOf(result: RunResult, { signal, turn }: AgentRequest): AgentReply {
  const reply: AgentReply = {
    ...(result.stdout_encoding
      ? { content: result.stdout, tool_calls: [], tool_evidence: 'unknown' as const }
      : parseReplyText(result.stdout)),
    ...defined({
      exit_code: result.exit_code ?? undefined,
      stdout: result.stdout_encoding ? undefined : result.stdout,
      stderr: result.stderr || undefined,
      leaked: result.leaked.length > 0 ? result.leaked : undefined,
      output_encoding: result.stdout_encoding,
    }),
  }
  if (result.too_large) throw answerTooLarge(MAX_OUTPUT_BYTES, { end: 'the program was killed' })
  if (signal.aborted) throw abortedCall(signal, reply)
  if (result.signal) throw killed(result, reply)
  // A case may ask about the code; otherwise a program that fails is not expected.
  const failure = turn === undefined || reply.stdout === undefined ? exitError({ stdout: '', ...reply }) : undefined
  if (failure) throw failure
  return reply
}

function killed(result: RunResult, partial: AgentReply): AgentError {
  return new AgentError({ code: 'crashed', message: `killed by ${result.signal}${stderrTail(result.stderr)}`, partial })
}
