// The user's editor, started at a line of a file. It is the user's own program: it may outlive us.
import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { findExecutable } from './find-executable.js'
import { splitCommand } from './split-command.js'

export interface Editor {
  name: string
  /** `path` is absolute, so that it cannot be taken for a flag. */
  open(path: string, line: number | undefined): void
}

type Arguments = (path: string, line: number) => string[]

const goto: Arguments = (path, line) => ['--goto', `${path}:${line}`]
const colon: Arguments = (path, line) => [`${path}:${line}`]
const flag: Arguments = (path, line) => ['--line', String(line), path]
const plus: Arguments = (path, line) => [`+${line}`, path]

/** Those with a window of their own. An editor for the terminal has none to run in. */
const KNOWN: ReadonlyMap<string, Arguments> = new Map([
  ...['code', 'cursor', 'windsurf', 'codium', 'code-insiders'].map((name) => [name, goto] as const),
  ...['zed', 'subl'].map((name) => [name, colon] as const),
  ...['idea', 'webstorm', 'pycharm', 'goland', 'rider', 'clion', 'rubymine', 'phpstorm'].map(
    (name) => [name, flag] as const,
  ),
  ...['gvim', 'emacsclient', 'gedit'].map((name) => [name, plus] as const),
])

/** `VIVA_EDITOR`, else `VISUAL` or `EDITOR` if it has a window, else the first known one that is installed. */
export function findEditor(env: NodeJS.ProcessEnv, cwd: string): Editor | undefined {
  const own = env['VIVA_EDITOR']
  if (own) return editorOf(splitCommand(own), env, cwd, (path) => [path])
  const named = [env['VISUAL'], env['EDITOR']].flatMap((text) => (text ? [splitCommand(text)] : []))
  for (const words of [...named, ...[...KNOWN.keys()].map((name) => [name])]) {
    const editor = editorOf(words, env, cwd)
    if (editor) return editor
  }
  return undefined
}

function editorOf(
  [command = '', ...given]: string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  otherwise?: Arguments,
): Editor | undefined {
  const name = basename(command).replace(/\.(?:exe|cmd)$/i, '')
  const toArguments = KNOWN.get(name) ?? otherwise
  if (!toArguments) return undefined
  let file: string
  try {
    file = findExecutable(command, cwd, env['PATH'] ?? '')
  } catch {
    return undefined
  }
  return {
    name,
    open(path, line = 1) {
      const child = spawn(file, [...given, ...toArguments(path, line)], { cwd, stdio: 'ignore', detached: true })
      child.on('error', () => {})
      child.unref()
    },
  }
}
