// Where in the user's module an error came from.
import { dirname } from 'node:path'

const MOST_FRAMES = 8

/** The frames of the user's code; of packages only where there are no others. Nothing of Node or Viva. */
export function framesOf(error: unknown, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line) && !/\(?node:/.test(line))
  const own = frames.filter((line) => !line.includes('node_modules') && line.includes(dirname(file)))
  const packages = frames.filter((line) => /node_modules[\\/](?!viva[\\/])/.test(line))
  const shown = [...(own.length > 0 ? own : packages).slice(0, MOST_FRAMES), ...causesOf(error)]
  return shown.length === 0 ? undefined : shown.join('\n').replaceAll('file://', '')
}

const MOST_CAUSES = 5

/** SDKs and `fetch` wrap what really happened. */
function causesOf(error: unknown): string[] {
  const lines: string[] = []
  for (let cause = causeIn(error); cause instanceof Error && lines.length < MOST_CAUSES; cause = causeIn(cause)) {
    const [first = ''] = cause.message === '' ? [codeOf(cause)] : cause.message.split('\n')
    lines.push(`    caused by ${cause.name}: ${first.slice(0, 500)}`)
  }
  return lines
}

function causeIn(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

/** `at agent.ts:3:9`, from the first frame beside the module. */
export function thrownAt(error: unknown, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = /([\w.-]+\.[cm]?[jt]sx?:\d+:\d+)\)?$/m
  const line = stack.split('\n').find((frame) => frame.includes(dirname(file)) && !frame.includes('node_modules'))
  const found = line === undefined ? undefined : place.exec(line)?.[1]
  return found === undefined ? undefined : `at ${found}`
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? String(code) : ''
}
