// The file that a module agent's process starts from.
import { findChildEntry } from '../../process/child-entry.js'

export function findModuleEntry(): Promise<string> {
  return findChildEntry({
    from: import.meta.url,
    built: ['./agents/module-child.cjs', '../agents/module-child.cjs'],
    source: './child/main.ts',
  })
}
