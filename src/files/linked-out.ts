// A folder of the project that is a link out of it: what is written there would land, and what is removed would be
// missing, where nobody expects it.
import { UserError } from '../errors.js'
import { pathBelow, realPathOf } from './inside.js'

/** `roots`: the project. A folder that is outside by its very name was meant. */
export function requireNotLinkedOut(folder: string, what: string, roots: readonly string[]): void {
  if (!roots.some((root) => pathBelow(root, folder) !== undefined)) return
  const real = realPath(folder)
  if (real === undefined || roots.some((root) => pathBelow(realPath(root) ?? root, real) !== undefined)) return
  throw new UserError({
    code: 'LINKED_OUT',
    message: `${what}: ${folder} is a link out of the project, to ${real}`,
    hint: 'remove the link, or name the folder that it leads to',
  })
}

/** Where a path leads now; the result throws when it leads elsewhere later: what is tested can make links, too. */
export function notePlace(path: string): () => void {
  const before = realPath(path)
  return () => {
    const real = realPath(path)
    if (real === before) return
    throw new UserError({
      code: 'LINKED_OUT',
      message: `${path} was made to lead to ${real ?? 'nowhere'} while the run was going on`,
      hint: 'find out what made the link, remove it, and write the report from the events: viva report',
    })
  }
}

/** Undefined for what cannot be resolved: writing there says why. */
function realPath(path: string): string | undefined {
  try {
    return realPathOf(path)
  } catch {
    return undefined
  }
}
