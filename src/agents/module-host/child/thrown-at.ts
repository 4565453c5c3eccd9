// Where in the user's module an error came from.
import { dirname } from 'node:path'

/** `at agent.ts:3:9`, from the first frame beside the module. */
export function thrownAt(error: unknown, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = /([\w.-]+\.[cm]?[jt]sx?:\d+:\d+)\)?$/m
  const line = stack.split('\n').find((frame) => frame.includes(dirname(file)) && !frame.includes('node_modules'))
  const found = line === undefined ? undefined : place.exec(line)?.[1]
  return found === undefined ? undefined : `at ${found}`
}
