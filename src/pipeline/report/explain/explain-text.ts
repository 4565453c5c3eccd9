// An explanation as people read it. `viva explain` and MCP print the same.
import { escapeControls } from '../../../base/hidden.js'
import { blameLines } from '../blame/blame-text.js'
import { adviceAsTyped, type Caller } from '../recording.js'
import type { Explanation } from './explanation.js'

const LABEL = 10
const MOST_LINES = 40

export function explanationText(explanation: Explanation, caller: Caller = {}): string {
  const { id, variant, name, where, status, headline, certainty, cause } = explanation
  const title = [variant === undefined ? id : `${id} · ${variant}`, name, where].filter((part) => part !== undefined)
  const lines = [`[${title.join(' · ')}] ${status === 'not_shown' ? 'not shown' : status}`, headline, '']
  const add = (label: string, text: string | undefined): void => {
    if (text !== undefined) lines.push(...labelled(label, text))
  }
  add('runs', explanation.rate)
  add('where', explanation.first_wrong)
  add('asked', explanation.asked)
  add('came', explanation.came)
  add('expected', explanation.expected)
  add('actual', explanation.actual)
  add('cause', certainty === 'cannot tell' || cause === undefined ? 'cannot tell' : `${cause} (${certainty})`)
  for (const frame of explanation.frames ?? []) add('', frame)
  for (const [label, text] of blameLines(explanation)) add(label, text)
  for (const text of explanation.try) add('try', adviceAsTyped(text, caller))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** A label and a text of any number of lines; control characters are spelled out, and no line begins with what an agent said. */
export function labelled(label: string, text: string, most: number = MOST_LINES): string[] {
  const all = text.split(/\r?\n/)
  const shown = all.slice(0, most).map(escapeControls)
  const [first = '', ...more] = shown
  const left = all.length - shown.length
  const indent = ' '.repeat(LABEL)
  return [
    `  ${label.padEnd(LABEL)}${first}`,
    ...more.map((line) => `  ${indent}│ ${line}`.trimEnd()),
    ...(left > 0 ? [`  ${indent}│ … ${left} more ${left === 1 ? 'line' : 'lines'}`] : []),
  ]
}
