// Amp in execute mode: the prompt as the value of -x, or on standard input. It prints its final message.
import type { Program } from './program.js'

export const amp: Program = {
  name: 'amp',
  command: 'amp',
  variables: { keys: ['AMP_API_KEY'], others: ['AMP_URL'] },
  invoke: (prompt, args) => ({ args: ['--dangerously-allow-all', ...args, '-x', prompt] }),
  invokeLong: (prompt, args) => ({ args: ['--dangerously-allow-all', ...args, '-x'], stdin: prompt }),
}
