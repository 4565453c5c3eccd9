// Why a request is not the recorded one: both hashes, where they first differ, and the redaction that would make them equal.
import { preview } from '../base/text.js'
import type { RecordedRequest } from '../model/cassette.js'
import { collapsed, type Normaliser } from './normalise.js'

export interface Mismatch {
  /** Where it is in the file, from 1. */
  number: number
  hat: string
  recorded: RecordedRequest
  recorded_hash: string
  current: RecordedRequest
  current_hash: string
}

const SHOWN = 500
/** How much of an equal beginning is shown before a difference. */
const BEFORE = 60

export function describeMismatch(mismatch: Mismatch, normaliser: Normaliser): string {
  const { number, hat, recorded, recorded_hash, current, current_hash } = mismatch
  const [was, is] = [textOf(recorded), textOf(current)]
  const proposed = proposeRedaction(recorded, current, normaliser)
  return [
    `Replay mismatch at interaction ${number} (hat: ${hat})`,
    `Expected hash: ${recorded_hash}`,
    `Actual hash:   ${current_hash}`,
    '',
    `Prompt diff (first ${SHOWN} chars):`,
    ...diffLines(was, is),
    ...(proposed === undefined ? [] : [`Hint: Add redaction for ${proposed.name}: ${proposed.json}`]),
  ].join('\n')
}

/** Where they first differ, on one line. */
export function firstDifference(recorded: RecordedRequest, current: RecordedRequest): string {
  const [before = '', after = ''] = diffLines(textOf(recorded), textOf(current))
  return `recorded "${preview(before.slice(2))}", now "${preview(after.slice(2))}"`
}

/** A pattern for the first differing part, if it makes the two requests equal. */
export function proposeRedaction(
  recorded: RecordedRequest,
  current: RecordedRequest,
  normaliser: Normaliser,
): { name: string; json: string } | undefined {
  const pattern = patternFor(textOf(recorded), textOf(current))
  if (pattern === undefined) return undefined
  const patterns = { [pattern.name]: pattern.source }
  const further = normaliser.with(patterns)
  if (further.hash(further.again(recorded)) !== further.hash(further.again(current))) return undefined
  return { name: pattern.name, json: JSON.stringify({ patterns }) }
}

/** A request as people read it, one line per message. */
function textOf({ connector, messages, tools, parameters }: RecordedRequest): string {
  const lines = messages.map((message) => {
    const { role, content, ...rest } = (typeof message === 'object' ? message : { content: message }) as Record<
      string,
      unknown
    >
    const text = typeof content === 'string' ? collapsed(content) : jsonOf(content)
    return `${typeof role === 'string' ? `${role}: ` : ''}${text}${Object.keys(rest).length > 0 ? ` ${jsonOf(rest)}` : ''}`
  })
  if (connector !== undefined) lines.push(`connector: ${connector}`)
  for (const tool of tools ?? []) lines.push(`tool: ${jsonOf(tool)}`)
  if (parameters) lines.push(`parameters: ${jsonOf(parameters)}`)
  return lines.join('\n')
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}

/** From the first difference on, line by line, with the differing part of the first pair marked. */
function diffLines(was: string, is: string): string[] {
  const start = commonStart(was, is)
  const from = Math.max(was.lastIndexOf('\n', start - 1) + 1, start - BEFORE)
  const dots = from > 0 && was[from - 1] !== '\n' ? '…' : ''
  const old = windowOf(was, from, dots)
  const now = windowOf(is, from, dots)
  const result: string[] = []
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    const [before, after] = [old[index], now[index]]
    if (before === after) continue
    if (before !== undefined) result.push(`- ${before}`)
    if (after !== undefined) result.push(`+ ${after}`)
    if (result.length <= 2) result.push(`  ${marker(before ?? '', after ?? '')}`)
  }
  return result
}

function windowOf(text: string, from: number, dots: string): string[] {
  const shown = text.slice(from, from + SHOWN)
  return `${dots}${shown}${from + SHOWN < text.length ? '…' : ''}`.split('\n')
}

function marker(before: string, after: string): string {
  const start = commonStart(before, after)
  const end = commonEnd(before.slice(start), after.slice(start))
  return `${' '.repeat(start)}${'^'.repeat(Math.max(1, Math.max(before.length, after.length) - start - end))}`
}

const TOKEN = /[A-Za-z0-9_-]/

function patternFor(was: string, is: string): { name: string; source: string } | undefined {
  const at = commonStart(was, is)
  const [old, now] = [tokenAt(was, at), tokenAt(is, at)]
  let start = commonStart(old, now)
  // The prefix ends where a word does: `user_a1` and `user_a2` are `user_…`.
  while (start > 0 && !/[_-]/.test(old[start - 1] ?? '')) start--
  const [oldRest, nowRest] = [old.slice(start), now.slice(start)]
  // What looks like a word is one: only a person can say that it does not matter.
  if (!/[0-9]/.test(oldRest) || !/[0-9]/.test(nowRest)) return undefined
  const prefix = old.slice(0, start)
  if (prefix === '' && Math.min(oldRest.length, nowRest.length) < 6) return undefined
  const word = prefix
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
  return { name: word === '' ? 'id' : `${word}_id`, source: `${prefix}${classOf(oldRest + nowRest)}` }
}

function tokenAt(text: string, at: number): string {
  let start = at
  while (start > 0 && TOKEN.test(text[start - 1] ?? '')) start--
  let end = at
  while (end < text.length && TOKEN.test(text[end] ?? '')) end++
  return text.slice(start, end)
}

/** With a digit, like what it replaces: `user_[a-z]*[0-9][a-z0-9]*` leaves the word `user_name` alone. */
function classOf(text: string): string {
  const classes = [
    /[a-z]/.test(text) && 'a-z',
    /[A-Z]/.test(text) && 'A-Z',
    text.includes('_') && '_',
    text.includes('-') && '-',
  ]
  const letters = classes.filter((part) => part !== false).join('')
  return letters === '' ? '[0-9]+' : `[${letters}]*[0-9][0-9${letters}]*`
}

function commonStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

function commonEnd(a: string, b: string): number {
  let count = 0
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++
  return count
}
