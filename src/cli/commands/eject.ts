// `viva eject`: a built-in helper agent becomes the project's own.
import { relative, resolve } from 'node:path'
import { ejectHelper } from '../../agents/helpers/locate-built-in.js'
import { findAppRoot } from '../../files/app-root.js'
import type { CommandCall } from '../command.js'
import { stdout } from '../terminal.js'

export async function eject({ args, flags }: CommandCall): Promise<number> {
  const id = args[0] ?? ''
  const root = findAppRoot(resolve('.'), resolve('.'))
  const folder = await ejectHelper(id, root, flags['force'] === true)
  stdout.write(`${relative('.', folder)}: yours to edit; it replaces ${id} everywhere\n`)
  return 0
}
