// Part of the script that comes with an imported suite: is a text well-formed XML, and which elements are in it.

export const XML_PATH = 'scripts/xml.ts'

export const XML_SCRIPT = String.raw`// Well-formed XML: one root, tags that match, attributes in quotes. A DTD of its own is refused.

interface Element {
  name: string
  children: Element[]
}

const NAME = /[\p{L}_:][\p{L}\p{N}_:.\-·]*/uy
const SPACE = /[ \t\r\n]*/y
const ENTITY = /&(?:lt|gt|amp|apos|quot|#[0-9]+|#x[0-9a-fA-F]+);/y

/** The names that are missing, as paths from the root ("a.b"), or why it is not XML. */
export function missingInXml(text: string, wanted: string[]): { problem?: string; missing: string[] } {
  const reader = new Reader(text.replace(/^\uFEFF/, ''))
  try {
    const root = reader.document()
    return { missing: wanted.filter((path) => !has([root], path.split('.'))) }
  } catch (error) {
    return { problem: (error as Error).message, missing: [] }
  }
}

function has(elements: Element[], [name, ...rest]: string[]): boolean {
  return elements.some((one) => one.name === name && (rest.length === 0 || has(one.children, rest)))
}

class Reader {
  at = 0
  constructor(readonly text: string) {}

  document(): Element {
    if (/^<\?xml[ \t\r\n]/.test(this.text)) this.past('?>')
    this.between()
    if (this.text.startsWith('<!DOCTYPE', this.at)) {
      const end = this.text.indexOf('>', this.at)
      if (end < 0 || this.text.slice(this.at, end).includes('[')) throw this.wrong('a DTD of its own')
      this.at = end + 1
      this.between()
    }
    const root = this.element()
    this.between()
    if (this.at < this.text.length) throw this.wrong('something after the root')
    return root
  }

  /** An element and all that is in it, without recursion: answers can be as deep as they like. */
  element(): Element {
    const top: Element = { name: '', children: [] }
    const open = [top]
    do {
      const inside = open.at(-1) as Element
      const next = this.text.indexOf('<', this.at)
      if (next < 0) throw this.wrong(open.length === 1 ? 'no element' : inside.name + ' is never closed')
      if (open.length === 1 && next > this.at) throw this.wrong('text outside the root')
      this.plain(next)
      if (this.text.startsWith('</', this.at)) {
        this.at += 2
        const name = this.take(NAME, 'a name')
        this.take(SPACE, '')
        if (open.length === 1 || name !== inside.name) throw this.wrong('</' + name + '> closes nothing')
        this.expect('>')
        open.pop()
      } else if (this.text.startsWith('<!--', this.at)) this.comment()
      else if (this.text.startsWith('<![CDATA[', this.at)) this.past(']]>')
      else if (this.text.startsWith('<?', this.at)) this.past('?>')
      else if (this.tag(inside)) open.push(inside.children.at(-1) as Element)
    } while (open.length > 1)
    return top.children[0] as Element
  }

  /** Whether it stays open. */
  tag(inside: Element): boolean {
    this.expect('<')
    const name = this.take(NAME, 'a name')
    inside.children.push({ name, children: [] })
    const seen = new Set<string>()
    for (;;) {
      const space = this.take(SPACE, '')
      if (this.text.startsWith('/>', this.at)) {
        this.at += 2
        return false
      }
      if (this.text[this.at] === '>') {
        this.at += 1
        return true
      }
      if (space === '') throw this.wrong('expected a space or the end of the tag')
      const attribute = this.take(NAME, 'an attribute')
      if (seen.has(attribute)) throw this.wrong('the attribute ' + attribute + ' is there twice')
      seen.add(attribute)
      this.take(SPACE, '')
      this.expect('=')
      this.take(SPACE, '')
      const quote = this.text[this.at]
      if (quote !== '"' && quote !== "'") throw this.wrong('an attribute without quotes')
      this.at += 1
      const end = this.text.indexOf(quote, this.at)
      if (end < 0) throw this.wrong('a quote that is never closed')
      if (this.text.slice(this.at, end).includes('<')) throw this.wrong('< in an attribute')
      this.plain(end)
      this.at = end + 1
    }
  }

  /** Text up to a place; every & must be an entity. */
  plain(end: number): void {
    for (let at = this.text.indexOf('&', this.at); at >= 0 && at < end; at = this.text.indexOf('&', at + 1)) {
      ENTITY.lastIndex = at
      if (!ENTITY.test(this.text)) throw this.wrong('an & that is not an entity')
    }
    const text = this.text.slice(this.at, end)
    if (text.includes(']]>')) throw this.wrong(']]> in text')
    if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) throw this.wrong('a character that XML does not know')
    this.at = end
  }

  /** Space, comments and instructions around the root. */
  between(): void {
    for (;;) {
      this.take(SPACE, '')
      if (this.text.startsWith('<!--', this.at)) this.comment()
      else if (this.text.startsWith('<?', this.at) && !/^<\?xml[ \t\r\n?]/i.test(this.text.slice(this.at, this.at + 7))) this.past('?>')
      else return
    }
  }

  comment(): void {
    const end = this.text.indexOf('--', this.at + 4)
    if (end < 0 || this.text[end + 2] !== '>') throw this.wrong('a comment that is not closed')
    this.at = end + 3
  }

  past(end: string): void {
    const at = this.text.indexOf(end, this.at)
    if (at < 0) throw this.wrong('expected ' + end)
    this.at = at + end.length
  }

  take(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) throw this.wrong('expected ' + what)
    this.at += found[0].length
    return found[0]
  }

  expect(char: string): void {
    if (this.text[this.at] !== char) throw this.wrong('expected ' + char)
    this.at += 1
  }

  wrong(what: string): Error {
    return new Error('not XML: ' + what + ' (at ' + this.at + ')')
  }
}
`
