// Kiro: the prompt as the last argument, text out.
import type { Program } from './program.js'

export const kiro: Program = {
  name: 'kiro',
  command: 'kiro-cli',
  variables: { keys: ['KIRO_API_KEY'] },
  invoke: (prompt, args, { agent }) => ({
    args: [
      'chat',
      '--no-interactive',
      '--trust-all-tools',
      ...(agent === undefined ? [] : ['--agent', agent]),
      ...args,
      prompt,
    ],
  }),
}
