// The module that a test file tests: `setup.ts` for `setup_test.ts`.
import { isFile } from '../../files/stat.js'

const TEST_END = /_test(\.[cm]?[jt]sx?)$/

export function siblingOf(file: string): string | undefined {
  if (!TEST_END.test(file)) return undefined
  const stem = file.replace(TEST_END, '')
  return ['.ts', '.js', '.tsx', '.mts', '.mjs', '.cjs'].map((end) => stem + end).find(isFile)
}
