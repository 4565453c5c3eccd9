// The problems of a file, one line each; those of one kind are shown by the first few and the lines of the others.
import { escapeControls } from '../base/hidden.js'
import { plural } from '../base/format.js'
import type { Problem } from '../errors.js'

/** So many of a kind are shown in full. */
const SHOWN = 3
const MOST_PLACES = 20

export function problemLines(problems: readonly Problem[]): string[] {
  const kinds = new Map<string, Problem[]>()
  for (const problem of problems) {
    const key = kindOf(problem)
    const same = kinds.get(key)
    if (same) same.push(problem)
    else kinds.set(key, [problem])
  }
  return [...kinds.values()].flatMap((same) => {
    // One more line would say as much as the last problem itself.
    if (same.length <= SHOWN + 1) return same.map(problemLine)
    return [...same.slice(0, SHOWN).map(problemLine), othersLine(same.slice(SHOWN))]
  })
}

export function problemLine(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':')
  const field = problem.field === undefined || problem.field === '' ? '' : `${problem.field}: `
  const near = problem.suggestion === undefined ? '' : ` – did you mean "${problem.suggestion}"?`
  const hint = problem.hint === undefined ? '' : ` (${problem.hint})`
  return escapeControls(`${place === '' ? '' : `${place}: `}${field}${problem.message}${near}${hint}`)
}

/** Where they are, not what was found, tells problems of one kind apart. */
function kindOf({ file = '', field = '', message, suggestion = '' }: Problem): string {
  return [
    file,
    field.replaceAll(/\d+/g, '#'),
    message.replace(/, found .*$/s, '').replaceAll(/\d+/g, '#'),
    suggestion,
  ].join('\0')
}

function othersLine(others: Problem[]): string {
  const places = [...new Set(others.flatMap(({ line, field }) => line ?? field ?? []))]
  const all = ranges(places)
  const shown = all.slice(0, MOST_PLACES).join(', ')
  const more = all.length > MOST_PLACES ? ' …' : ''
  const where = shown === '' ? '' : `: ${typeof places[0] === 'number' ? 'lines ' : ''}${shown}${more}`
  return escapeControls(`${others[0]?.file ?? ''} … ${plural(others.length, 'more problem')} like these${where}`.trim())
}

/** `4–60, 72`. */
function ranges(places: Array<number | string>): string[] {
  const parts: Array<{ from: number | string; to: number | string }> = []
  for (const place of places) {
    const last = parts.at(-1)
    if (last && typeof place === 'number' && typeof last.to === 'number' && place === last.to + 1) last.to = place
    else parts.push({ from: place, to: place })
  }
  return parts.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`))
}
