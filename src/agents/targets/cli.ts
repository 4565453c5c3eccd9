// `cli:claude …`: a coding agent as people run it, with the prompt and nothing else.
import { resolve } from 'node:path'
import { abortedCall } from '../../connectors/aborted-call.js'
import { defined } from '../../base/defined.js'
import { suggest } from '../../base/suggest.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { lastUserText } from '../../model/last-user-text.js'
import { skillsIn } from '../../model/skill-use.js'
import type { BackendAnswer } from '../../orchestrator/backends/backend.js'
import { findProgram } from '../../orchestrator/backends/kinds.js'
import { createProgramBackend, type Program, type ProgramContext } from '../../orchestrator/backends/program.js'
import { requireBackends, setVariables } from '../../orchestrator/backends/ready.js'
import type { BackendChoice } from '../../orchestrator/hats.js'
import type { Processes } from '../../process/processes.js'
import { runProcess } from '../../process/run-process.js'
import { splitCommand } from '../../process/split-command.js'
import { mockMcpEnv } from './mock-mcp.js'
import { programName } from './program-name.js'

export interface CliOptions {
  processes: Processes
  /** The base folder of a relative command and `entry.cwd`. */
  cwd: string
  pass_env: string[]
}

const KNOWN = ['claude', 'codex', 'gemini', 'opencode']

export async function createCliAgent(entry: AgentEntry, { processes, cwd, pass_env }: CliOptions): Promise<Agent> {
  const { target, env: given = {}, description } = entry
  const [command = '', ...args] = splitCommand(target.slice('cli:'.length))
  const type = programName(command)
  const program = KNOWN.includes(type) ? await findProgram(type) : undefined
  if (!program) throw unknownProgram(target, type)
  const choice: BackendChoice = { type, command, args }
  const folder = resolve(cwd, entry.cwd ?? '.')
  const contextOf = (request: AgentRequest): ProgramContext => ({
    cwd: request.workspace ?? folder,
    commandDir: cwd,
    env: {
      ...given,
      ...request.env,
      ...mockMcpEnv(request),
      ...(request.traceparent !== undefined && { TRACEPARENT: request.traceparent }),
    },
    pass_env: [...pass_env, ...setVariables(program.variables, processes.env, request.context.home !== undefined)],
    processes,
  })
  processes.findExecutable(command, cwd)
  return {
    id: target,
    sees: 'nothing',
    workspaces: 'folder',
    givenTools: 'served',
    ...defined({ description }),
    requireSetUp: () => requireBackends([choice], { cwd: folder, env: given, pass_env, processes }),
    async send(request) {
      requireOnePrompt(request)
      const context = contextOf(request)
      const backend = createProgramBackend(program, choice, context)
      const answer = await backend.call({
        hat: 'agent',
        prompt: lastUserText(request.messages),
        signal: request.signal,
        onStart: () => {},
        onOutput: (text, stdout) => {
          if (stdout) request.onChunk?.(text)
        },
      })
      if (request.signal.aborted) throw abortedCall(request.signal, replyOf(answer, undefined))
      const reply = replyOf(answer, await offeredBy(program, choice, answer, context, request.signal))
      if (answer.error !== undefined) throw new AgentError({ code: 'failed', message: answer.error, partial: reply })
      return reply
    },
  }
}

function replyOf(answer: BackendAnswer, offered: string[] | undefined): AgentReply {
  const { output, tool_calls, calls_cut, usage, cost_dollars, stderr, exit_code } = answer
  const evidence = tool_calls === undefined ? ('unknown' as const) : calls_cut ? ('partial' as const) : undefined
  return {
    content: output,
    tool_calls: tool_calls ?? [],
    ...defined({
      tool_evidence: evidence,
      usage,
      cost_dollars,
      exit_code: exit_code ?? undefined,
      stderr: stderr === '' ? undefined : stderr,
      skills: evidence === undefined ? { ...defined({ offered }), ...skillsIn(tool_calls ?? []) } : undefined,
    }),
  }
}

async function offeredBy(
  program: Program,
  choice: BackendChoice,
  { skills, session_id }: BackendAnswer,
  context: ProgramContext,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const { processes, commandDir, cwd, env, pass_env } = context
  return (
    skills ??
    program.skills?.offered?.({
      env: { HOME: processes.env['HOME'], ...passedOn(pass_env, processes.env), ...env },
      session_id,
      ask: async (args, more = {}) => {
        const said = await runProcess(processes, {
          command: processes.findExecutable(choice.command ?? program.command, commandDir),
          args,
          cwd,
          env: { ...env, ...more },
          passEnv: pass_env,
          signal,
        })
        return said.exit_code === 0 && !said.aborted ? said.stdout : undefined
      },
    })
  )
}

function passedOn(names: readonly string[], env: Processes['env']): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, env[name]]))
}

/** It keeps no conversation, and a history told in the prompt would be another task. */
function requireOnePrompt({ messages }: AgentRequest): void {
  if (messages.filter(({ role }) => role === 'user').length < 2) return
  throw new AgentError({
    code: 'config',
    message: 'cli: runs a coding agent once for each prompt, and this is a later turn of a conversation',
    hint: 'a conversation needs a session: use the agent over ACP (acp:), or put everything into one input',
    retry: false,
  })
}

function unknownProgram(target: string, type: string): UserError {
  const near = suggest(type, KNOWN)
  return new UserError({
    code: 'UNKNOWN_TARGET',
    message: `"${target}" names no coding agent that Viva can read${near === undefined ? '' : `; did you mean "cli:${near}"?`}`,
    hint: `known: ${KNOWN.map((name) => `cli:${name}`).join(', ')}, with a path and arguments where needed; any other program is exec:command`,
  })
}
