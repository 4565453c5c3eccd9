// GitHub Copilot CLI: the prompt as the value of -p; with -s only the answer is on standard output.
import type { Program } from './program.js'

export const copilot: Program = {
  name: 'copilot',
  command: 'copilot',
  variables: { keys: ['COPILOT_GITHUB_TOKEN'] },
  invoke: (prompt, args) => ({ args: ['-s', '--allow-all-tools', ...args, '-p', prompt] }),
}
