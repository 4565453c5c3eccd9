// The skills that an agent finds in a folder: each is a folder with a SKILL.md.
import { join } from 'node:path'
import { sortedEntries } from '../../../files/entries.js'
import { isFile } from '../../../files/stat.js'

const FOLDERS = ['skills', '.claude/skills', '.agents/skills']

export function skillsIn(dir: string): string[] {
  const names = FOLDERS.flatMap((folder) =>
    sortedEntries(join(dir, folder))
      .filter((entry) => entry.isDirectory() && isFile(join(dir, folder, entry.name, 'SKILL.md')))
      .map(({ name }) => name),
  )
  return [...new Set(names)]
}
