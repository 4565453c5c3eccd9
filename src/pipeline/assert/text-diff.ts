// What differs between two long texts, and the piece of a text that is nearest to what was looked for.
import { createRequire } from 'node:module'
import { isRecord } from '../../base/record.js'
import { editDistance } from '../../base/edit-distance.js'
import { escapeControls } from '../../base/hidden.js'
import { asText, clip, clipStart } from '../../base/text.js'

/** A diff if both sides are too long to compare by eye; undefined if they are short or too different. */
export function longDiff(expected: unknown, actual: unknown): string | undefined {
  const left = asLines(expected)
  const right = asLines(actual)
  if (left === right || left.length < LONG || right.length < LONG) return undefined
  if (left.length > MAX_COMPARED || right.length > MAX_COMPARED) return undefined
  const isLines = left.includes('\n') || right.includes('\n')
  const text = isLines ? lineDiff(left, right) : characterDiff(left, right)
  return text === undefined ? undefined : clip(text, MAX_DIFF)
}

/** The part of `text` most like `wanted`, cut to size; undefined if nothing is close. */
export function nearestPart(wanted: string, text: string): string | undefined {
  const target = wanted.trim()
  const searched = text.slice(0, MAX_SEARCHED)
  if (target.length < 2 || target.length > 500 || searched.trim() === '') return undefined
  const folded = searched.toLowerCase().indexOf(target.toLowerCase())
  // Lower-casing may change lengths (İ): then the offset would point elsewhere.
  if (folded >= 0 && searched.toLowerCase().length === searched.length)
    return searched.slice(folded, folded + target.length)
  let best: { part: string; likeness: number } | undefined
  for (const part of windows(searched, target)) {
    const likeness = 1 - editDistance(part.toLowerCase(), target.toLowerCase()) / Math.max(part.length, target.length)
    if (likeness > (best?.likeness ?? MIN_LIKENESS)) best = { part, likeness }
  }
  return best && clip(best.part, 200)
}

type Diff = typeof import('diff')

const LONG = 60
const MAX_COMPARED = 200_000
const MAX_DIFF = 4000
const MAX_SEARCHED = 10_000
// A failure's hint may cost about a millisecond: thousands of cases can fail.
const MAX_STEPS = 500_000
const MIN_LIKENESS = 0.55
const LIMITS = { maxEditLength: 1000, timeout: 100 }
let library: Diff | undefined

function loadDiff(): Diff {
  library ??= createRequire(import.meta.url)('diff') as Diff
  return library
}

function lineDiff(expected: string, actual: string): string | undefined {
  const patch = loadDiff().structuredPatch('expected', 'actual', expected, actual, '', '', {
    context: 2,
    ...LIMITS,
  })
  if (!patch) return undefined
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ])
  return ['--- expected', '+++ actual', ...lines.map((line) => escapeControls(line))].join('\n')
}

/** One line with what is missing as `[-…-]` and what is new as `{+…+}`, long equal stretches shortened. */
function characterDiff(expected: string, actual: string): string | undefined {
  const changes = loadDiff().diffArrays(expected.match(TOKENS) ?? [], actual.match(TOKENS) ?? [], { ...LIMITS })
  if (!changes) return undefined
  return changes
    .map((change) => {
      const text = escapeControls(change.value.join(''))
      if (change.removed) return `[-${text}-]`
      if (change.added) return `{+${text}+}`
      return text.length > 80 ? `${clip(text, 35)}${clipStart(text, 35)}`.replace('……', ' … ') : text
    })
    .join('')
}

/** Words, blanks, signs; but anything that may be a key is one piece: its parts would not be recognised, and so not hidden. */
const TOKENS = /(?=[!-~]*[0-9])[!-~]{8,}|[!-~]{12,}|\s+|[\p{L}\p{N}\p{M}_]+|./gsu

/** Structured values line by line with sorted keys, so that only real differences show. */
function asLines(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(sorted(value), null, 2) : asText(value)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  )
}

/** Stretches of about the target's length that begin at a word; for scripts without spaces, every few characters. */
function* windows(text: string, target: string): Generator<string> {
  const starts: number[] = []
  for (const match of text.matchAll(/[^\s]+/g)) {
    for (let offset = 0; offset < match[0].length; offset += Math.max(4, target.length))
      starts.push(match.index + offset)
  }
  const limit = Math.max(1, Math.floor(MAX_STEPS / (target.length * target.length)))
  for (const start of starts.slice(0, limit)) {
    const end = start + target.length
    const boundary = /\S*/y
    boundary.lastIndex = Math.min(end, text.length)
    const rest = boundary.exec(text)?.[0] ?? ''
    yield text.slice(start, end).trimEnd()
    if (rest.length > 0 && rest.length <= target.length) yield text.slice(start, end) + rest
  }
}
