// The skills of agents that speak ACP. The protocol has no word for them: each agent lists them among its commands, or not at all.
import { defined } from '../../base/defined.js'
import type { ToolCall } from '../../model/message.js'
import { skillsIn, type SkillUse } from '../../model/skill-use.js'
import type { AcpSession } from './acp-session.js'

/** By the name the agent gives itself; absent: its skills cannot be seen. */
const AGENTS: Record<string, (commands: string[]) => string[] | undefined> = {
  '@agentclientprotocol/claude-agent-acp': (commands) => commands,
  '@agentclientprotocol/codex-acp': (commands) =>
    commands.filter((name) => name.startsWith('$')).map((name) => name.slice(1)),
  OpenCode: (commands) => commands,
  // It reports which skill it uses, but not which it has.
  'gemini-cli': () => undefined,
}

export function acpSkills(session: Pick<AcpSession, 'agent' | 'commands'>, calls: ToolCall[]): SkillUse | undefined {
  const read = AGENTS[session.agent ?? '']
  if (!read) return undefined
  const commands = session.commands()
  return { ...defined({ offered: commands && read(commands) }), ...skillsIn(calls) }
}
