// A case as it could be written in a case file.
import type { TestCase } from './case.js'

export function writtenCase({ line: _line, assertions, ...rest }: TestCase): object {
  return assertions.length > 0 ? { ...rest, assertions } : rest
}
