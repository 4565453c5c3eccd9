// The module that a test file is about: `setup.ts` for `setup_test.ts`.
import { isFile } from '../../files/stat.js'

const TEST_END = /_test(\.[cm]?[jt]sx?)$/

/** Where it may lie, in order of preference. */
export function siblingPlaces(file: string): string[] {
  if (!TEST_END.test(file)) return []
  const stem = file.replace(TEST_END, '')
  return ['.ts', '.js', '.tsx', '.mts', '.mjs', '.cjs'].map((end) => stem + end)
}

export function siblingOf(file: string): string | undefined {
  return siblingPlaces(file).find(isFile)
}
