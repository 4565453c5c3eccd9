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

export const COMMANDS: CommandSpec[] = [
  ...RUNNING,
  ...PROJECT,
  ...RESULTS,
  ...SUITE,
  ...JUDGES,
  ...RECORDINGS,
  ...ORCHESTRATION,
  ...FLEET,
  {
    name: 'completion',
    summary: 'a completion script for your shell',
    args: [{ name: 'shell', required: true, description: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
    flags: [],
    examples: ['viva completion bash > ~/.local/share/bash-completion/completions/viva'],
    load: async () => (await import('./commands/completion.js')).completion,
  },
]
