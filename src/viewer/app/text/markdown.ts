// The Markdown that agents write, as plain data: headings, lists, quotes, code, tables, and bold, italic, code and
// links within lines. Single line breaks are kept. Everything else, HTML above all, stays the text it is.

export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; rows: Inline[][][] }
  | { kind: 'rule' }

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'bold' | 'italic' | 'struck'; inside: Inline[] }
  /** Named, never followed or loaded. */
  | { kind: 'link' | 'image'; text: string; target: string }

/** Whether formatting would change anything. Longer texts are shown as they are. */
export function hasMarkdown(text: string): boolean {
  return text.length <= MOST_CHARACTERS && HINT.test(text)
}

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replaceAll('\r\n', '\n').split('\n'), 0)
}

const MOST_CHARACTERS = 40_000
const DEEPEST = 8
const HINT =
  /^ {0,3}(?:#{1,6} \S|[-*+] \S|\d{1,9}[.)] \S|> ?\S|```|~~~|(?:-{3,}|\*{3,}|_{3,})\s*$|\|.*\|)|\*\*\S|`[^`\n]|\[[^\]\n]+\]\(|(?:^|\s)[*_]\S/m

const FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}(#{1,6}) +(\S.*)$/
const RULE = /^ {0,3}(?:-(?: *-){2,}|\*(?: *\*){2,}|_(?: *_){2,})\s*$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const TABLE_LINE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

function parseBlocks(lines: string[], depth: number): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: parseInline(paragraph.join('\n')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const taken = depth < DEEPEST ? takeBlock(lines, at, depth) : undefined
    if (taken) {
      endParagraph()
      blocks.push(taken.block)
      at = taken.next
    } else {
      if (line.trim() === '') endParagraph()
      else paragraph.push(line)
      at += 1
    }
  }
  endParagraph()
  return blocks
}

interface Taken {
  block: Block
  next: number
}

function takeBlock(lines: string[], at: number, depth: number): Taken | undefined {
  const line = lines[at] ?? ''
  const fence = FENCE.exec(line)?.[1]
  if (fence) return takeCode(lines, at, fence)
  const [, marks, title] = HEADING.exec(line) ?? []
  if (marks && title) {
    const text = parseInline(title.replace(/ +#+\s*$/, ''))
    return { block: { kind: 'heading', level: marks.length, text }, next: at + 1 }
  }
  if (RULE.test(line)) return { block: { kind: 'rule' }, next: at + 1 }
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, (other) => QUOTE.test(other))
    const inner = lines.slice(at, end).map((other) => other.replace(QUOTE, ''))
    return { block: { kind: 'quote', blocks: parseBlocks(inner, depth + 1) }, next: end }
  }
  if (ITEM.test(line)) return takeList(lines, at, depth)
  if (TABLE_ROW.test(line) && TABLE_LINE.test(lines[at + 1] ?? '')) {
    const end = endOf(lines, at, (other) => TABLE_ROW.test(other))
    const rows = lines.slice(at, end).filter((_row, index) => index !== 1)
    return { block: { kind: 'table', rows: rows.map(cellsOf) }, next: end }
  }
  return undefined
}

function endOf(lines: string[], at: number, belongs: (line: string) => boolean): number {
  let end = at
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1
  return end
}

function takeCode(lines: string[], at: number, fence: string): Taken {
  const isEnd = (line: string) => line.trim().startsWith(fence) && line.trim().replaceAll(fence.charAt(0), '') === ''
  const end = endOf(lines, at + 1, (line) => !isEnd(line))
  return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 }
}

function takeList(lines: string[], at: number, depth: number): Taken {
  const [, indent = '', mark = ''] = ITEM.exec(lines[at] ?? '') ?? []
  const ordered = /\d/.test(mark)
  const items: string[][] = []
  let width = 0
  let next = at
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? ''
    const [whole = '', inner = '', sign = ''] = ITEM.exec(line) ?? []
    const isDeeper = line.startsWith(' '.repeat(indent.length + 2))
    if (whole && !isDeeper && /\d/.test(sign) === ordered && inner.length >= indent.length) {
      width = whole.length
      items.push([line.slice(width)])
    } else if (isDeeper || (line.trim() === '' && belongsToList(lines[next + 1], indent.length, ordered)))
      items.at(-1)?.push(line.startsWith(' '.repeat(width)) ? line.slice(width) : line.trimStart())
    else break
  }
  const blocks = items.map((item) => parseBlocks(item, depth + 1))
  return { block: { kind: 'list', ordered, start: Number.parseInt(mark, 10) || 1, items: blocks }, next }
}

/** Whether a list continues after an empty line. */
function belongsToList(line: string | undefined, indent: number, ordered: boolean): boolean {
  if (line === undefined) return false
  if (line.startsWith(' '.repeat(indent + 2))) return true
  const sign = ITEM.exec(line)?.[2]
  return sign !== undefined && /\d/.test(sign) === ordered
}

function cellsOf(row: string): Inline[][] {
  const cells = row.trim().slice(1, -1).split('|')
  return cells.map((cell) => parseInline(cell.trim()))
}

// One pass: what opens is closed by the next of its kind on the same paragraph, or stays text.
const INLINE =
  /(`+)(?!`)([^\n]*?[^`\n])\1(?!`)|(!?)\[([^\]\n]{0,300})\]\(([^()\s]{0,2000})(?: "[^"\n]{0,300}")?\)|(\*\*|__)(?=\S)([^\n]{0,2000}?\S)\6|(\*|(?<!\w)_)(?=[^\s*_])([^\n*_]{0,1000}?[^\s*_])(?:\8(?!\w))|~~(?=\S)([^\n~]{0,1000}\S)~~/g

function parseInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = []
  let from = 0
  const plain = (until: number) => {
    if (until > from) parts.push({ kind: 'text', text: text.slice(from, until) })
  }
  for (const match of depth > 4 ? [] : text.matchAll(INLINE)) {
    const [whole, , code, bang, label, target, , bold, , italic, struck] = match
    plain(match.index)
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (target !== undefined) parts.push({ kind: bang ? 'image' : 'link', text: label ?? '', target })
    else {
      const kind = bold !== undefined ? 'bold' : italic !== undefined ? 'italic' : 'struck'
      parts.push({ kind, inside: parseInline(bold ?? italic ?? struck ?? '', depth + 1) })
    }
    from = match.index + whole.length
  }
  plain(text.length)
  return parts
}
