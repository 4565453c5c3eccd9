// Markdown as far as lint needs it: which lines are prose, and where links and code spans are. Never fails on any text.

export interface Line {
  /** 1-based, in the text. */
  number: number
  text: string
  kind: 'prose' | 'heading' | 'code' | 'quote' | 'table'
}

export interface Spot {
  line: number
  column: number
  value: string
}

export interface MarkdownText {
  lines: Line[]
  /** Targets of links and images in prose, without their titles. */
  links: Spot[]
  /** What is between backticks in prose. */
  spans: Spot[]
}

/** A line longer than this is data. */
const LONGEST_LINE = 20_000

export function readMarkdown(text: string): MarkdownText {
  const lines = linesOf(text)
  const links: Spot[] = []
  const spans: Spot[] = []
  for (const line of lines) {
    if (line.kind === 'code' || line.text.length > LONGEST_LINE) continue
    for (const match of line.text.matchAll(SPAN)) {
      const [whole, ticks = '', value = ''] = match
      if (whole !== '') spans.push({ line: line.number, column: match.index + ticks.length + 1, value: value.trim() })
    }
    const withoutCode = line.text.replaceAll(SPAN, (span) => ' '.repeat(span.length))
    for (const pattern of [LINK, DEFINITION])
      for (const match of withoutCode.matchAll(pattern)) {
        const [, before = '', angled, plain = ''] = match
        const column = match.index + before.length + 1
        links.push({ line: line.number, column, value: angled ?? plain })
      }
  }
  return { lines, links, spans }
}

const SPAN = /(?<!`)(`{1,3})(?!`)([^`]+)\1(?!`)/g
const LINK = /(!?\[[^\]\n]{0,500}\]\()(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}))(?=[\s)])/g
const DEFINITION = /^( {0,3}\[(?!\^)[^\]\n]{1,200}\]:\s+)(?:<([^<>\n]{1,500})>|(\S{1,500}))/g

function linesOf(text: string): Line[] {
  let fence: string | undefined
  let comment = false
  return text.split('\n').map((raw, index) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const mark = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})/.exec(line)?.[1]
    const number = index + 1
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = undefined
      return { number, text: line, kind: 'code' }
    }
    if (mark !== undefined) {
      fence = mark
      return { number, text: line, kind: 'code' }
    }
    if (!comment && line.includes('<!--')) comment = true
    if (comment) {
      if (line.includes('-->')) comment = false
      return { number, text: line, kind: 'code' }
    }
    return { number, text: line, kind: kindOf(line) }
  })
}

function kindOf(line: string): Line['kind'] {
  if (/^ {0,3}#{1,6}(?:\s|$)/.test(line)) return 'heading'
  if (/^ {0,3}>/.test(line)) return 'quote'
  return /^\s*\|/.test(line) ? 'table' : 'prose'
}
