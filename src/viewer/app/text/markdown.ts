// The Markdown that agents write, as plain data: headings, lists, quotes, code, tables, and bold, italic, code and
// links within lines. Single line breaks are kept. Everything else, HTML above all, stays the text it is.
import { Lexer, Tokenizer, type MarkedToken, type Token } from 'marked'

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

/** Whether formatting would change anything. */
export function hasMarkdown(text: string): boolean {
  return !parseMarkdown(text).every((block) => block.kind === 'paragraph' && block.text.every(isText))
}

export function parseMarkdown(text: string): Block[] {
  if (text.length > MOST_CHARACTERS) return [verbatim(text)]
  try {
    return blocksOf(new BoundedLexer({ gfm: true, tokenizer: new TextTokenizer() }).lex(text))
  } catch {
    // A text must never break the page.
    return [verbatim(text)]
  }
}

const MOST_CHARACTERS = 40_000
const LONGEST_PARAGRAPH = 4000
const DEEPEST = 8

/** HTML and addresses are text. So are definitions of links: `marked` would drop the second of a name. */
class TextTokenizer extends Tokenizer {
  override html = nothing
  override tag = nothing
  override autolink = nothing
  override url = nothing
  override def = nothing
}

function nothing(): undefined {
  return undefined
}

/** `marked` takes quadratic time for some paragraphs and has no limit of depth; what exceeds ours stays text. */
class BoundedLexer extends Lexer {
  #depth = 0

  override blockTokens<T extends Token[]>(src: string, tokens?: T, isClipped?: boolean): T {
    return this.#bounded(src, tokens, () => super.blockTokens(src, tokens, isClipped) as T)
  }

  override inline(src: string, tokens?: Token[]): Token[] {
    return src.length > LONGEST_PARAGRAPH ? asText(src, tokens) : super.inline(src, tokens)
  }

  override inlineTokens(src: string, tokens?: Token[]): Token[] {
    return this.#bounded(src, tokens, () => super.inlineTokens(src, tokens))
  }

  #bounded<T extends Token[]>(src: string, tokens: T | undefined, lex: () => T): T {
    if (this.#depth >= DEEPEST) return asText(src, tokens)
    this.#depth += 1
    const found = lex()
    this.#depth -= 1
    return found
  }
}

function asText<T extends Token[]>(src: string, tokens = [] as unknown as T): T {
  tokens.push({ type: 'text', raw: src, text: src })
  return tokens
}

function isText({ kind }: Inline): boolean {
  return kind === 'text'
}

function verbatim(text: string): Block {
  return { kind: 'paragraph', text: [{ kind: 'text', text: text.trimEnd() }] }
}

function blocksOf(tokens: Token[]): Block[] {
  return (tokens as MarkedToken[]).flatMap((token) => (token.type === 'space' ? [] : [blockOf(token)]))
}

function blockOf(token: MarkedToken): Block {
  switch (token.type) {
    case 'heading':
      return { kind: 'heading', level: token.depth, text: inlineOf(token.tokens) }
    case 'code':
      return { kind: 'code', text: token.text }
    case 'blockquote':
      return { kind: 'quote', blocks: blocksOf(token.tokens) }
    case 'list': {
      const items = token.items.map((item) => blocksOf(withBox(item.tokens)))
      return { kind: 'list', ordered: token.ordered, start: Number(token.start) || 1, items }
    }
    case 'table': {
      // `marked` drops the cells that have no column.
      if (token.raw.split('\n').some((line) => cellsIn(line) > token.header.length)) return verbatim(token.raw)
      const rows = [token.header, ...token.rows]
      return { kind: 'table', rows: rows.map((cells) => cells.map((cell) => inlineOf(cell.tokens))) }
    }
    case 'hr':
      return { kind: 'rule' }
    case 'paragraph':
    case 'text':
      return token.tokens ? { kind: 'paragraph', text: inlineOf(token.tokens) } : verbatim(token.raw)
    default:
      return verbatim(token.raw)
  }
}

/** The box of a task belongs to the text beside it. */
function withBox(tokens: Token[]): Token[] {
  const [box, text, ...rest] = tokens
  if (box?.type !== 'checkbox' || text?.type !== 'text') return tokens
  return [{ ...text, tokens: [box, ...(text.tokens ?? [])] }, ...rest]
}

function cellsIn(line: string): number {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)(?:\\\\)*\|/).length
}

const KINDS = { strong: 'bold', em: 'italic', del: 'struck' } as const

function inlineOf(tokens: Token[]): Inline[] {
  return (tokens as MarkedToken[]).map((token, at): Inline => {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del': {
        // 2*3*4 is arithmetic.
        const isInWord = /\w$/.test(tokens[at - 1]?.raw ?? '') && /^\w/.test(tokens[at + 1]?.raw ?? '')
        if (isInWord) return { kind: 'text', text: token.raw }
        return { kind: KINDS[token.type], inside: inlineOf(token.tokens) }
      }
      case 'codespan':
        return { kind: 'code', text: token.text }
      case 'link':
      case 'image':
        return { kind: token.type, text: token.text, target: token.href }
      case 'br':
        return { kind: 'text', text: '\n' }
      default:
        return { kind: 'text', text: token.raw }
    }
  })
}
