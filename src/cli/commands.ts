// The commands, one row each, by subject. A command's file is loaded only when it runs.
import type { CommandSpec } from './command.js'
import { FLEET } from './rows/fleet.js'
import { JUDGES } from './rows/judges.js'
import { ORCHESTRATION } from './rows/orchestration.js'
import { PROJECT } from './rows/project.js'
import { RECORDINGS } from './rows/recordings.js'
import { RESULTS } from './rows/results.js'
import { RUNNING } from './rows/running.js'
import { SUITE } from './rows/suite.js'

const COMPLETION: CommandSpec = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  args: [{ name: 'shell', required: true, description: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
  flags: [],
  examples: ['viva completion bash > ~/.local/share/bash-completion/completions/viva'],
  load: async () => (await import('./commands/completion.js')).completion,
}

/** As the help lists them. */
const GROUPS: Array<[title: string, commands: CommandSpec[]]> = [
  ['Run cases', RUNNING],
  ['Set up a project', PROJECT],
  ['Read results', RESULTS],
  ['Improve the suite and its judges', [...SUITE, ...JUDGES]],
  ['Record and replay', RECORDINGS],
  ['Orchestrators and test tools', ORCHESTRATION],
  ['Fleet', FLEET],
  ['Other', [COMPLETION]],
]

export const COMMANDS: CommandSpec[] = GROUPS.flatMap(([group, commands]) =>
  commands.map((command) => ({ ...command, group })),
)
