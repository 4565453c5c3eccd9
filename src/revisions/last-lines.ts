// The end of what a program printed, in one line.
import { visible } from '../base/hidden.js'

export function lastLines(text: string, count: number): string {
  const lines = text.split('\n').map((line) => line.trim())
  return visible(
    lines
      .filter((line) => line !== '')
      .slice(-count)
      .join('; '),
  ).slice(-2_000)
}
