// Where an agent looks for skills: known of coding agents, by the program that is started.
import { findProgram } from '../../orchestrator/backends/kinds.js'
import { splitCommand } from '../../process/split-command.js'
import { programName } from '../targets/program-name.js'

/** Adapters, by the coding agent behind them. */
const BEHIND: Record<string, string> = {
  'claude-agent-acp': 'claude',
  'codex-acp': 'codex',
}

/** Relative to the working folder; undefined: it is not known. `command`: the target. */
export async function skillsFolderOf(command: string): Promise<string | undefined> {
  const [, scheme = '', rest = ''] = /^(cli|acp|exec):(.*)$/s.exec(command) ?? []
  if (scheme === '') return undefined
  for (const word of splitCommand(rest)) {
    const name = programName(word)
    const program = await findProgram(BEHIND[name] ?? name)
    if (program?.skills) return program.skills.folder
  }
  return undefined
}
