// Gemini CLI: the prompt as the value of -p, text out.
import type { Program } from './program.js'

export const gemini: Program = {
  name: 'gemini',
  command: 'gemini',
  invoke: (prompt, args) => ({ args: ['--yolo', ...args, '-p', prompt] }),
}
