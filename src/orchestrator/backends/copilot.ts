// GitHub Copilot CLI: the prompt as the value of -p; -s leaves the answer alone on standard output.
import type { Program } from './program.js'

export const copilot: Program = {
  name: 'copilot',
  command: 'copilot',
  invoke: (prompt, args) => ({ args: ['-s', '--allow-all-tools', ...args, '-p', prompt] }),
}
