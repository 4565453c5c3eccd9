// The file that a script's process starts from.
import { findChildEntry } from '../../process/child-entry.js'

export function findScriptEntry(): Promise<string> {
  return findChildEntry({
    from: import.meta.url,
    built: ['./scripts/child.cjs', '../scripts/child.cjs', './child.cjs'],
    source: '../child/main.ts',
  })
}
