// A program of the user's own: the prompt as an argument, after a flag if one is named, or on standard input.
import type { Program } from './program.js'

export const custom: Program = {
  name: 'custom',
  command: '',
  invoke: (prompt, args, { prompt_mode = 'arg', prompt_flag }) =>
    prompt_mode === 'stdin'
      ? { args, stdin: prompt }
      : { args: [...args, ...(prompt_flag === undefined ? [] : [prompt_flag]), prompt] },
  // It need not be able to read a file that a sentence names.
  invokeLong: 'refuse',
}
