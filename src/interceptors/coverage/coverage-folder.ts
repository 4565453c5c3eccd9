// Where `--coverage` goes: it is written after the last test; that it can be is checked before the first.
import { accessSync, constants } from 'node:fs'
import { requireWritable } from '../../pipeline/record/open-output.js'
import { coverageFiles } from '../../scripts/coverage/coverage-files.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { requireNotLinkedOut } from '../../files/linked-out.js'
import { statOf } from '../../files/stat.js'

export function requireCoverageFolder(folder: string, roots: readonly string[]): void {
  requireNotLinkedOut(folder, '--coverage', roots)
  const hint = 'choose another folder with --coverage'
  if (statOf(folder)?.isDirectory() === false) throw cannotWrite(folder, 'it is a file', hint)
  for (const file of coverageFiles(folder)) {
    const there = statOf(file)
    if (there?.isDirectory()) throw cannotWrite(file, 'it is a folder', hint)
    requireWritable(file, '--coverage')
    if (there) requireAccess(file, hint)
  }
}

function requireAccess(file: string, hint: string): void {
  try {
    accessSync(file, constants.W_OK)
  } catch (error) {
    throw cannotWrite(file, error, hint)
  }
}
