// Files that decide about cases: read before the first of them, so that nothing an agent writes later counts.
import { readInside } from './inside.js'

export interface KeptFiles {
  /** Named by a case, relative to the root. */
  expect(path: string): void
  /** Reads what is expected; a file that is missing then stays missing. */
  keep(): Promise<void>
  read(path: string): Promise<string>
}

export function createKeptFiles(root: string): KeptFiles {
  const expected = new Set<string>()
  const texts = new Map<string, Promise<string>>()
  return {
    expect: (path) => void expected.add(path),
    keep: async () => {
      for (const path of expected) {
        const text = readInside(root, path)
        texts.set(path, text)
        await text.catch(() => undefined)
      }
    },
    read: (path) => texts.get(path) ?? readInside(root, path),
  }
}
