// Lines too long for the terminal, broken between words, with the bars of the tree carried on beside them.
import { displayWidth, splitAtWidth } from './width.js'

const HANG = '  '
const LEAST = 16

export function wrapLines(text: string, columns: number): string {
  if (columns < LEAST) return text
  return text
    .split('\n')
    .flatMap((line) => (fits(line, columns) ? [line] : wrapLine(line, columns)))
    .join('\n')
}

// Nothing in it is wider than one column: most lines are known to fit without being measured.
const NARROW = /^[\u001b\x20-\u10ff–—‘’“”…→═─│├└►▸✓✗○⚠ℹ]*$/

function fits(line: string, columns: number): boolean {
  return (line.length <= columns && NARROW.test(line)) || displayWidth(line) <= columns
}

function wrapLine(line: string, columns: number): string[] {
  if (/^[═─]+$/.test(line)) return [line.slice(0, columns)]
  const lead = /^[ │├└─]*/.exec(line)?.[0] ?? ''
  const next = continuation(lead, columns)
  const lines: string[] = []
  let current = lead
  let empty = true
  for (let word of line.slice(lead.length).split(' ')) {
    const room = columns - displayWidth(current) - (empty ? 0 : 1)
    if (displayWidth(word) > room) {
      // A word longer than a line is broken where the line ends; any other begins the next one.
      const breaks = displayWidth(word) > columns - displayWidth(next) && !word.includes('\u001b')
      if (breaks && room > 1) {
        const [head, rest] = splitAtWidth(word, room)
        current += `${empty ? '' : ' '}${head}`
        word = rest
      }
      lines.push(current)
      current = next
      empty = true
      while (breaks && displayWidth(word) > columns - displayWidth(next)) {
        const [head, rest] = splitAtWidth(word, columns - displayWidth(next))
        lines.push(next + head)
        word = rest
      }
    }
    current += `${empty ? '' : ' '}${word}`
    empty = false
  }
  return [...lines, current]
}

/** The prefix of a continued line: the bars go on, the branch does not begin again. */
function continuation(lead: string, columns: number): string {
  const bars = lead.replaceAll('├', '│').replaceAll(/[└─]/g, ' ')
  const most = Math.max(LEAST / 2, Math.floor(columns / 2))
  return (bars + HANG).slice(0, most)
}
