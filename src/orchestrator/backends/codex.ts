// Codex: the prompt as the last argument; `-` reads it from standard input. Its final message is all it prints there.
import type { Program } from './program.js'

/** Refused together with --yolo, and left over in many configurations. */
const SUPERSEDED = '--full-auto'

export const codex: Program = {
  name: 'codex',
  command: 'codex',
  invoke: (prompt, args) => ({ args: [...options(args), prompt] }),
  invokeLong: (prompt, args) => ({ args: [...options(args), '-'], stdin: prompt }),
}

function options(args: string[]): string[] {
  return ['exec', '--yolo', ...args.filter((arg) => arg !== SUPERSEDED && arg !== '--yolo')]
}
