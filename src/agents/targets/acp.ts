// `acp:command`: an agent that speaks the Agent Client Protocol on its standard input and output.
import { withPartial } from '../../connectors/with-partial.js'
import { AgentError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { readFinishReasons } from '../../connectors/finish-reason.js'
import { defined } from '../../base/defined.js'
import type { Processes } from '../../process/processes.js'
import { AcpAnswer } from './acp-answer.js'
import { acpSkills } from './acp-skills.js'
import { openAcpSession, type AcpSession } from './acp-session.js'
import { parseCommand } from '../../process/parse-command.js'
import { mockMcpEnv } from './mock-mcp.js'
import { newText, RecentMap } from './stateful.js'

export interface AcpOptions {
  processes: Processes
  /** The base folder of a relative command and `entry.cwd`. */
  cwd?: string
  pass_env?: string[]
  grace_ms?: number
}

interface Conversation {
  session: AcpSession
  seen: number
  /** What the session had cost when its last turn ended, if it says. */
  cost: number | undefined
}

/** Programs kept for the next turn of their conversation. If one was ended too early, a new one is told the history. */
const MAX_IDLE = 4

export function createAcpAgent(entry: AgentEntry | string, options: AcpOptions): Agent {
  const given: AgentEntry = typeof entry === 'string' ? { target: entry } : entry
  const { processes } = options
  processes.requireSupport('ACP agents')
  const finishReasons = readFinishReasons(given.finish_reasons)
  const command = parseCommand(given.target, options.cwd ?? processes.cwd, given.cwd, processes)
  const start = (request: AgentRequest): Promise<AcpSession> => {
    const { workspace, env, signal, mockMcp } = request
    return openAcpSession(processes, {
      command: command.file,
      args: workspace === undefined ? command.args : command.argsElsewhere,
      cwd: workspace ?? command.folder,
      passEnv: options.pass_env ?? [],
      signal,
      env: { ...given.env, ...env, ...mockMcpEnv(request) },
      ...defined({ graceMs: options.grace_ms, mockMcp }),
    })
  }
  const ending = new Set<Promise<unknown>>()
  const forget = ({ session }: Conversation): void => {
    const end = session.end().catch(() => {})
    ending.add(end)
    void end.then(() => ending.delete(end))
  }
  const idle = new RecentMap<Conversation>(MAX_IDLE, forget)

  return {
    id: given.target,
    sees: 'nothing',
    workspaces: 'folder',
    givenTools: 'served',
    ...defined({ description: given.description }),
    async send(request) {
      const { signal, context } = request
      const answer = new AcpAnswer(request.onChunk, finishReasons)
      let session: AcpSession | undefined
      const onAbort = (): void => void session?.end().catch(() => {})
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        const known = idle.take(context.chat_id)
        session = known?.session ?? (await start(request))
        const ended = await session.prompt(newText(request.messages, known?.seen ?? 0), answer)
        if (signal.aborted) throw abortedCall(signal)
        const said = answer.reply(ended, { agent: session.agent, spent: known ? known.cost : 0 })
        const skills = acpSkills(session, said.tool_calls)
        const reply = skills ? { ...said, skills } : said
        idle.put(context.chat_id, { session, seen: request.messages.length, cost: answer.cost })
        return reply
      } catch (error) {
        const leaked = await session?.end()
        throw signal.aborted ? abortedCall(signal, withLeaked(answer.partial(), leaked)) : toError(error, answer)
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    async release(chatId) {
      await idle.take(chatId)?.session.end()
    },
    async close() {
      await Promise.all([...idle.clear().map(({ session }) => session.end()), ...ending])
    },
  }
}

function withLeaked(partial: AgentReply, leaked: string[] | undefined): AgentReply {
  return leaked && leaked.length > 0 ? { ...partial, leaked } : partial
}

function toError(error: unknown, answer: AcpAnswer): unknown {
  if (!(error instanceof AgentError)) return error
  return withPartial(error, answer.partial())
}
