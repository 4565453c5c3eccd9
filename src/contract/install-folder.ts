// Where a server is installed: the folder of the nearest package.json above the program that is started.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, resolve } from 'node:path'
import type { StdioServer } from '../mcp-client/server.js'
import { isNpx } from '../process/parse-command.js'

/** Undefined where nothing tells: a system program, or a command that finds its program itself. */
export function installFolder({ command, args, cwd }: StdioServer): string | undefined {
  if (isNpx(command)) return installedHere(args, cwd)
  const named = [command, ...args].filter((text) => !text.startsWith('-') && /[/\\.]/.test(text))
  for (const text of named.toReversed()) {
    const file = isAbsolute(text) ? text : resolve(cwd, text)
    if (!existsSync(file) || !/\.(?:[cm]?[jt]s|py)$|[/\\]\.?bin[/\\]/i.test(file)) continue
    const folder = packageFolder(realpathSync(file))
    if (folder !== undefined) return folder
  }
  return undefined
}

/** A package of the project that `npx` runs; what it downloads is anywhere. */
function installedHere(args: readonly string[], cwd: string): string | undefined {
  const name = args.find((arg) => !arg.startsWith('-'))?.replace(/(?<=.)@[^/]*$/, '')
  if (name === undefined) return undefined
  for (let folder = cwd; ; folder = dirname(folder)) {
    const [bin, own] = [join(folder, 'node_modules', '.bin', name), join(folder, 'node_modules', name)]
    if (existsSync(bin)) return packageFolder(realpathSync(bin))
    if (existsSync(join(own, 'package.json'))) return realpathSync(own)
    if (folder === dirname(folder)) return undefined
  }
}

function packageFolder(file: string): string | undefined {
  const { root } = parse(file)
  for (let folder = dirname(file); folder !== root; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'pyproject.toml'))) return folder
  return undefined
}
