// A project folder that is a link out of the project: what is written there would land, and what is removed would go
// missing, where it is not expected.
import { UserError } from '../errors.js'
import { pathBelow, realPathOf } from './inside.js'

/** `roots`: the project. A folder whose very name is outside was meant. */
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

/** Where a path leads now; the result throws if it leads elsewhere later: what is tested can make links, too. */
export function notePlace(path: string): () => void {
  const before = realPath(path)
  return () => {
    const real = realPath(path)
    if (real === before) return
    throw new UserError({
      code: 'LINKED_OUT',
      message: `${path} was redirected to ${real ?? 'nowhere'} during the run`,
      hint: 'find out what made the link, remove it, and write the report from the events: viva report',
    })
  }
}

/** Undefined if it cannot be resolved: writing there says why. */
function realPath(path: string): string | undefined {
  try {
    return realPathOf(path)
  } catch {
    return undefined
  }
}
