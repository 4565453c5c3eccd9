// A case as it could be written in a case file.
import type { TestCase, Turn } from './case.js'

export function writtenCase({ line: _line, assertions, turns, ...rest }: TestCase): object {
  return {
    ...rest,
    ...(turns && { turns: turns.map(writtenTurn) }),
    ...(assertions.length > 0 && { assertions }),
  }
}

function writtenTurn({ assertions, ...rest }: Turn): object {
  return assertions.length > 0 ? { ...rest, assertions } : rest
}
