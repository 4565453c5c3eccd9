// Kiro: the prompt as the last argument, text out.
import type { Program } from './program.js'

export const kiro: Program = {
  name: 'kiro',
  command: 'kiro-cli',
  invoke: (prompt, args) => ({ args: ['chat', '--no-interactive', '--trust-all-tools', ...args, prompt] }),
}
