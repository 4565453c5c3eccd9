// OpenCode: the prompt as the last argument of `run`, or on standard input; text out.
import type { Program } from './program.js'

export const opencode: Program = {
  name: 'opencode',
  command: 'opencode',
  invoke: (prompt, args) => ({ args: ['run', ...args, prompt] }),
  invokeLong: (prompt, args) => ({ args: ['run', ...args], stdin: prompt }),
}
