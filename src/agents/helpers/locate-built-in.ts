// Where the packages of the built-in helpers are, and copying one into a project.
import { cp, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import { shippedPath } from '../../files/shipped.js'
import { BUILTIN_HELPERS, isBuiltinHelper } from './built-in-ids.js'

/** The folder with the helper's `package.yao`; undefined for any other id. */
export function builtinHelperDir(id: string): string | undefined {
  return isBuiltinHelper(id) ? shippedPath('helpers', id.slice('viva.'.length)) : undefined
}

/** Copies a helper to `assistants/viva/<name>` of a project, where it wins over the built-in one. Returns the folder. */
export async function ejectHelper(name: string, appRoot: string, force = false): Promise<string> {
  const id = name.startsWith('viva.') ? name : `viva.${name}`
  const from = builtinHelperDir(id)
  if (!from) throw unknownHelper(name)
  const to = join(appRoot, 'assistants', ...id.split('.'))
  if (!force && (await isThere(to))) throw alreadyThere(id, to)
  try {
    makeFolders(dirname(to))
    await cp(from, to, { recursive: true })
  } catch (error) {
    throw cannotWrite(to, error, 'run it in a project whose assistants folder can be written')
  }
  return to
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function unknownHelper(name: string): UserError {
  return new UserError({
    code: 'UNKNOWN_HELPER',
    message: `no built-in helper called "${name}"`,
    hint: `built-in helpers: ${BUILTIN_HELPERS.join(', ')}`,
  })
}

function alreadyThere(id: string, path: string): UserError {
  return new UserError({
    code: 'HELPER_EXISTS',
    message: `${id} is already ejected: ${path} exists`,
    hint: 'edit it there, or pass --force to overwrite it',
  })
}
