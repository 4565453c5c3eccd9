// What a coverage folder holds: one file for tools, one for people.
import { join } from 'node:path'

export function coverageFiles(folder: string): [lcov: string, text: string] {
  return [join(folder, 'lcov.info'), join(folder, 'coverage.txt')]
}
