// Commands typed into a real shell on a pseudo-terminal, as lines with their colours.
import { dirname } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { createScreen, type StyledText } from '../../test/support/screen.js'

const COLUMNS = 92
const PROMPT = '$ '

/** What stands on the screen when the command is done, without the prompt after it. */
export async function typeCommand(command: string, cwd: string, bin: string): Promise<StyledText[][]> {
  const screen = createScreen(COLUMNS)
  const shell = spawn('bash', ['--norc', '--noprofile', '--noediting'], {
    cwd,
    cols: COLUMNS,
    rows: 60,
    env: {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: cwd,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      PS1: PROMPT,
      BASH_SILENCE_DEPRECATION_WARNING: '1',
    },
  })
  let typed = false
  await new Promise<void>((resolve) => {
    shell.onData((data) => {
      screen.write(data)
      const prompts = screen
        .text()
        .split('\n')
        .filter((line) => `${line} `.startsWith(PROMPT)).length
      if (!typed && prompts === 1) {
        typed = true
        shell.write(`${command}\r`)
      } else if (typed && prompts === 2) resolve()
    })
    shell.onExit(() => resolve())
  })
  shell.kill('SIGKILL')
  return screen.styled().slice(0, -1)
}
