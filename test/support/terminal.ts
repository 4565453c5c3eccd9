// The command line on a real pseudo-terminal, with someone typing.
import { stripVTControlCharacters } from 'node:util'
import { spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { BIN } from './run-cli.js'
import { createScreen } from './screen.js'

export interface Terminal {
  /** All output until now, without colours and cursor movements. */
  text(): string
  /** As it came. */
  raw(): string
  /** What is on the screen, and above it. */
  screen(): string
  /** Whether any of it was coloured. */
  colored(): boolean
  /** Resolves when the text appears after what was seen before; fails when the command ends without it. */
  saw(text: string): Promise<void>
  type(keys: string): void
  code: Promise<number>
}

export function onTerminal(args: string[], options: { cwd: string; columns?: number; env?: object }): Terminal {
  const { cwd, columns = 100 } = options
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm', NO_COLOR: '1', ...options.env }
  const child = spawn(process.execPath, [BIN, ...args], { cwd, cols: columns, rows: 40, env })
  const screen = createScreen(columns)
  let raw = ''
  let text = ''
  let colored = false
  let seen = 0
  let look = (): void => {}
  child.onData((data) => {
    screen.write(data)
    raw += data
    colored ||= /\u001b\[[1-9]\d?m/.test(data)
    text += stripVTControlCharacters(data)
    look()
  })
  let ended = false
  const code = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => {
      ended = true
      resolve(exitCode)
      look()
    }),
  )
  onTestFinished(() => {
    if (!ended) child.kill('SIGKILL')
  })
  return {
    text: () => text,
    raw: () => raw,
    screen: () => screen.text(),
    colored: () => colored,
    saw: (wanted) =>
      new Promise((resolve, reject) => {
        look = () => {
          const at = text.indexOf(wanted, seen)
          if (at >= 0) {
            seen = at + wanted.length
            look = () => {}
            resolve()
          } else if (ended) reject(new Error(`ended without "${wanted}":\n${text}`))
        }
        look()
      }),
    type: (keys) => child.write(keys),
    code,
  }
}
