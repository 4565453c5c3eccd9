// An assertion's verdict on the console: what was checked, and why it did not hold.
import type { AssertionResult } from '../../../model/assertion.js'
import { preview, show } from '../../../base/text.js'
import { assertionLabel } from '../../../model/assertion-label.js'
import type { Screen } from '../recording.js'
import { paint } from './paint.js'

const WHY_LINES = 20

/** `✓ contains "submitted"`, with the reasons below if it failed. */
export function assertionLines(result: AssertionResult, screen: Screen): string[] {
  const color = paint(screen.color)
  if (result.not_evaluated) return [`${color.dim('○')} ${assertionLabel(result)}`]
  if (result.error !== undefined) return [`${color.red('!')} ${assertionLabel(result)}`, ...indented(result.error)]
  if (result.passed) {
    const said = screen.verbose && result.message !== undefined ? indented(result.message) : []
    return [`${color.green('✓')} ${assertionLabel(result)}`, ...said]
  }
  const lines = [`${color.red('✗')} ${assertionLabel(result)}`]
  if (result.message !== undefined) lines.push(...indented(result.message))
  else lines.push(...expectedAndActual(result))
  if (result.diff !== undefined) lines.push(...indented(result.diff))
  for (const part of result.parts ?? []) {
    if (screen.verbose || !part.passed) lines.push(...assertionLines(part, screen).map((line) => `  ${line}`))
  }
  return lines
}

/** Text of several lines, each escaped and indented: nothing an agent said is at the start of a line. */
export function indented(text: string, indent = '  ', most: number = WHY_LINES): string[] {
  const lines = text.split(/\r?\n/)
  const shown = lines.slice(0, most).map((line) => `${indent}${noCommand(preview(line, 500))}`)
  return lines.length > most ? [...shown, `${indent}… ${lines.length - most} more lines`] : shown
}

/** Build servers take `::error …` and `##…[` for commands, blanks before it or not. */
export function noCommand(line: string): string {
  return /^\s*(?:::|##)/.test(line) ? `│ ${line}` : line
}

function expectedAndActual(result: AssertionResult): string[] {
  const lines: string[] = []
  if (result.expected !== undefined) lines.push(`  expected: ${show(result.expected)}`)
  if (result.actual !== undefined) lines.push(`  actual: ${show(result.actual)}`)
  return lines
}
