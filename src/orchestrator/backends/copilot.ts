// GitHub Copilot CLI: the prompt as the value of -p; with -s only the answer is on standard output.
import type { Program } from './program.js'

export const copilot: Program = {
  name: 'copilot',
  command: 'copilot',
  invoke: (prompt, args) => ({ args: ['-s', '--allow-all-tools', ...args, '-p', prompt] }),
}
