// The one place where JSON is found in an answer: structured, whole text, fenced block, or the largest piece in prose.
import { closingBracket } from './closing-bracket.js'
import { parseLenientJson, readLenientJson, type LenientValue, type ReadBudget } from './lenient-json.js'
import { parseJson } from './parse-json.js'

/** The JSON an answer carries, or undefined. A scalar counts only if it is the whole answer. */
export function findJson(answer: unknown): { value: unknown } | undefined {
  if (answer === null || answer === undefined) return undefined
  if (typeof answer !== 'string') return { value: answer }
  const said = withoutThinking(answer)
  return wholeJson(said) ?? fencedBlock(said) ?? largestPiece(said)
}

/** What a model thinks aloud before its answer is not the answer; where the thinking does not end there is none. */
export function withoutThinking(text: string): string {
  if (THINKS.test(text)) return afterThinking(text) ?? ''
  // Some templates leave out the tag that opens.
  return text.includes('</think>') && !/^\s*[{["]/.test(text) ? (afterThinking(text) ?? text) : text
}

function afterThinking(text: string): string | undefined {
  const end = THOUGHT.exec(text)
  return end ? text.slice(end.index + end[0].length) : undefined
}

const THINKS = /^\s*(?:<(?:think|thinking|thoughts?|reasoning)>|\[think\]|◁think▷)/i
const THOUGHT = /<\/(?:think|thinking|thoughts?|reasoning)>|\[\/think\]|◁\/think▷/i

/** The JSON that a text is from beginning to end, repaired where needed. */
export function wholeJson(text: string): { value: unknown } | undefined {
  const trimmed = text.trim()
  if (!BEGINS_JSON.test(trimmed)) return undefined
  const first = trimmed[0]
  return parseJson(trimmed) ?? (first === '{' || first === '[' ? parseLenientJson(trimmed) : undefined)
}

const BEGINS_JSON = /^[[{"\-\dtfn]/

/** Every object and list in a text, outermost ones only, in order: to notice that an answer says two things. */
export function findAllJson(text: string, options: FindOptions = {}): unknown[] {
  return pieces(text, options).map((piece) => piece.value)
}

export interface LastJson {
  value: unknown
  /** The text before it. */
  before: string
  /** The objects and lists before it, in order. */
  earlier: unknown[]
  /** Some object in it has the same key twice. */
  repeated: boolean
}

/** The object or list that ends a text, white space aside; undefined if it ends with anything else. */
export function lastJson(text: string): LastJson | undefined {
  const trimmed = text.trimEnd()
  const found = pieces(trimmed)
  const last = found.at(-1)
  if (!last || last.end !== trimmed.length) return undefined
  return {
    value: last.value,
    before: trimmed.slice(0, last.start),
    earlier: found.slice(0, -1).map(({ value }) => value),
    repeated: last.repeated,
  }
}

export interface FindOptions {
  /** Continues after a piece that was cut off, and looks inside it: for what a text mentions rather than what it says. */
  pastCuts?: boolean
}

interface Piece extends LenientValue {
  start: number
}

export interface Fence {
  label: string
  content: string
}

function fencedBlock(text: string): { value: unknown } | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined
  const fences = fencesOf(text)
  const labelled = fences.filter((fence) => /^json[5cl]?$/i.test(fence.label))
  for (const fence of [...labelled, ...fences.filter((other) => !labelled.includes(other))]) {
    const found = wholeJson(fence.content)
    if (found && (labelled.includes(fence) || typeof found.value === 'object')) return found
  }
  return undefined
}

/** Fences by line: an unclosed fence runs to the end of the text. */
export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = []
  let open: { mark: string; label: string; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const start = line.trimStart()
    const mark = /^(?:`{3,}|~{3,})/.exec(start)?.[0]
    if (open) {
      if (mark?.startsWith(open.mark) && start.slice(mark.length).trim() === '') {
        fences.push({ label: open.label, content: open.lines.join('\n') })
        open = undefined
      } else open.lines.push(line)
    } else if (mark) open = { mark, label: start.slice(mark.length).trim().split(/\s/)[0] ?? '', lines: [] }
  }
  if (open) fences.push({ label: open.label, content: open.lines.join('\n') })
  return fences
}

function largestPiece(text: string): { value: unknown } | undefined {
  let best: Piece | undefined
  for (const piece of pieces(text)) if (!best || lengthOf(piece) > lengthOf(best)) best = piece
  return best && { value: best.value }
}

function lengthOf({ start, end }: Piece): number {
  return end - start
}

function pieces(text: string, { pastCuts = false }: FindOptions = {}): Piece[] {
  const found: Piece[] = []
  const budget: ReadBudget = { left: text.length * 4 + 100_000 }
  const opener = /[{[]/g
  for (let match = opener.exec(text); match && budget.left > 0; match = opener.exec(text)) {
    const piece = readLenientJson(text, match.index, budget)
    if (piece) {
      found.push({ ...piece, start: match.index })
      opener.lastIndex = piece.end
    } else if (!pastCuts && startsJson(text, match.index)) {
      // What was cut off or cannot be read says nothing: a part of it could say the opposite of the whole.
      const end = closingBracket(text, match.index)
      if (end === undefined) break
      opener.lastIndex = end
    }
  }
  return found
}

/** Is the bracket more than a stray one in prose: with a key or an item after it, or first in its fence? */
function startsJson(text: string, index: number): boolean {
  CONTENT.lastIndex = index
  return CONTENT.test(text) || isFirstInFence(text, index)
}

function isFirstInFence(text: string, index: number): boolean {
  let end = index
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end--
  if (end === 0 || !text.slice(end, index).includes('\n')) return false
  return FENCE.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end))
}

const CONTENT = /\{\s*["']|\[\s*[{["']/y
const FENCE = /^\s*(?:`{3,}|~{3,})[ \t]*(?:json[5cl]?)?$/i
