// Well-formed XML 1.0 with namespaces: one root, matching tags, quoted attributes, declared prefixes. An inline DTD is refused.

interface Element {
  name: string
  children: Element[]
  /** Namespaces by prefix, those around it included. */
  spaces: ReadonlyMap<string, string>
}

const START =
  'A-Za-z_\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const NAME = new RegExp('[:' + START + '][:' + START + '0-9.\\-\\xB7\\u0300-\\u036F\\u203F\\u2040]*', 'uy')
const SPACE = /[ \t\r\n]*/y
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.\d+"|'1\.\d+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(yes|no)"|'(yes|no)'))?[ \t\r\n]*\?>/
const DOCTYPE =
  /<!DOCTYPE[ \t\r\n]+([^ \t\r\n<>"'[\]]+)(?:[ \t\r\n]+(?:SYSTEM|PUBLIC[ \t\r\n]+(?:"[\x20\r\na-zA-Z0-9'()+,./:=?;!*#@$_%-]*"|'[\x20\r\na-zA-Z0-9()+,./:=?;!*#@$_%-]*'))[ \t\r\n]+("[^"#]*"|'[^'#]*'))?[ \t\r\n]*>/y
const NOT_A_CHARACTER =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?:[^\ud800-\udbff]|^)[\udc00-\udfff]/
const KNOWN = new Set(['lt', 'gt', 'amp', 'apos', 'quot'])
const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'

/** The names that are missing, as paths from the root ("a.b"), or why it is not XML. */
export function missingInXml(text: string, wanted: string[]): { problem?: string; missing: string[] } {
  const reader = new Reader(text.replace(/^\uFEFF/, ''))
  try {
    const root = reader.document()
    return { missing: wanted.filter((path) => !has([root], path.split('.'))) }
  } catch (error) {
    if (!(error instanceof NotXml)) throw error
    return { problem: error.message, missing: [] }
  }
}

class NotXml extends Error {}

/** Where there are several elements of a name, the next step must be the number of one. */
function has(elements: Element[], [name, ...rest]: string[]): boolean {
  const named = elements.filter((one) => one.name === name)
  const [only] = named
  if (rest.length === 0 || only === undefined) return only !== undefined
  if (named.length === 1) return has(only.children, rest)
  const [at = '', ...below] = rest
  const chosen = /^(?:0|[1-9]\d*)$/.test(at) ? named[Number(at)] : undefined
  return chosen !== undefined && (below.length === 0 || has(chosen.children, below))
}

class Reader {
  at = 0
  /** A DTD elsewhere may define any entity. */
  anyEntity = false
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  document(): Element {
    if (NOT_A_CHARACTER.test(this.text)) throw this.wrong('a character that XML does not know')
    const declaration = DECLARATION.exec(this.text)
    if (declaration) this.at = declaration[0].length
    this.between()
    if (this.text.startsWith('<!DOCTYPE', this.at)) {
      this.doctype(declaration?.[1] === 'yes' || declaration?.[2] === 'yes')
      this.between()
    }
    const root = this.element()
    this.between()
    if (this.at < this.text.length) throw this.wrong('something after the root')
    return root
  }

  doctype(standalone: boolean): void {
    DOCTYPE.lastIndex = this.at
    const found = DOCTYPE.exec(this.text)
    NAME.lastIndex = 0
    const name = found?.[1] ?? ''
    if (!found || NAME.exec(name)?.[0] !== name) throw this.wrong('a DTD of its own, or a DOCTYPE that is malformed')
    this.anyEntity = found[2] !== undefined && !standalone
    this.at += found[0].length
  }

  /** An element and all that is in it, without recursion: answers can be as deep as they like. */
  element(): Element {
    const spaces = new Map([
      ['xml', XML],
      ['xmlns', XMLNS],
    ])
    const top: Element = { name: '', children: [], spaces }
    const open = [top]
    do {
      const inside = open.at(-1) as Element
      const next = this.text.indexOf('<', this.at)
      if (next < 0) throw this.wrong(open.length === 1 ? 'no element' : inside.name + ' is never closed')
      if (open.length === 1 && next > this.at) throw this.wrong('text outside the root')
      this.plain(next, true)
      if (this.text.startsWith('</', this.at)) {
        this.at += 2
        const name = this.take(NAME, 'a name')
        this.take(SPACE, '')
        if (open.length === 1 || name !== inside.name) throw this.wrong('</' + name + '> closes nothing')
        this.expect('>')
        open.pop()
      } else if (open.length > 1 && this.text.startsWith('<!--', this.at)) this.comment()
      else if (open.length > 1 && this.text.startsWith('<![CDATA[', this.at)) this.past(']]>')
      else if (open.length > 1 && this.text.startsWith('<?', this.at)) this.instruction()
      else if (this.tag(inside)) open.push(inside.children.at(-1) as Element)
    } while (open.length > 1)
    return top.children[0] as Element
  }

  /** Whether it stays open. */
  tag(inside: Element): boolean {
    this.expect('<')
    const element: Element = { name: this.take(NAME, 'a name'), children: [], spaces: inside.spaces }
    inside.children.push(element)
    const attributes: Array<[string, string]> = []
    for (;;) {
      const space = this.take(SPACE, '')
      const isEmpty = this.text.startsWith('/>', this.at)
      if (isEmpty || this.text[this.at] === '>') {
        this.at += isEmpty ? 2 : 1
        this.requireNames(element, attributes)
        return !isEmpty
      }
      if (space === '') throw this.wrong('expected a space or the end of the tag')
      const name = this.take(NAME, 'an attribute')
      this.take(SPACE, '')
      this.expect('=')
      this.take(SPACE, '')
      const quote = this.text[this.at]
      if (quote !== '"' && quote !== "'") throw this.wrong('an attribute without quotes')
      this.at += 1
      const end = this.text.indexOf(quote, this.at)
      if (end < 0) throw this.wrong('a quote that is never closed')
      const value = this.text.slice(this.at, end)
      if (value.includes('<')) throw this.wrong('< in an attribute')
      this.plain(end, false)
      this.at = end + 1
      attributes.push([name, value])
    }
  }

  /** Prefixes are declared, and no attribute is there twice. */
  requireNames(element: Element, attributes: Array<[string, string]>): void {
    for (const [name, value] of attributes) {
      const [prefix, local] = this.split(name)
      if (name !== 'xmlns' && prefix !== 'xmlns') continue
      const own = name === 'xmlns' ? '' : local
      const uri = value.trim()
      if (own === 'xmlns' || (own === 'xml' && uri !== XML) || (own !== '' && uri === ''))
        throw this.wrong('the prefix ' + own + ' cannot be declared so')
      if (own !== 'xml' && (uri === XML || uri === XMLNS)) throw this.wrong('a namespace that is taken')
      element.spaces = new Map([...element.spaces, [own, uri]])
    }
    const [prefix] = this.split(element.name)
    if (prefix === 'xmlns' || (prefix !== '' && !element.spaces.get(prefix)))
      throw this.wrong('the prefix ' + prefix + ' is not declared')
    const seen = new Set<string>()
    for (const [name] of attributes) {
      const [own, local] = this.split(name)
      const uri = own === '' ? '' : element.spaces.get(own)
      if (uri === undefined) throw this.wrong('the prefix ' + own + ' is not declared')
      const full = own === '' ? local : '{' + uri + '}' + local
      if (seen.has(full)) throw this.wrong('the attribute ' + name + ' is there twice')
      seen.add(full)
    }
  }

  split(name: string): [prefix: string, local: string] {
    const parts = name.split(':')
    if (parts.length > 2 || parts.includes('')) throw this.wrong('the name ' + name)
    return parts.length === 1 ? ['', name] : [parts[0] as string, parts[1] as string]
  }

  /** Text up to a place; every & must be an entity. */
  plain(end: number, isText: boolean): void {
    for (let at = this.text.indexOf('&', this.at); at >= 0 && at < end; at = this.text.indexOf('&', at + 1)) {
      const close = this.text.indexOf(';', at)
      if (close < 0 || close > end || !this.isEntity(this.text.slice(at + 1, close)))
        throw this.wrong('an & that is not an entity')
    }
    if (isText && this.text.slice(this.at, end).includes(']]>')) throw this.wrong(']]> in text')
    this.at = end
  }

  isEntity(name: string): boolean {
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? []
    if (hex !== undefined || decimal !== undefined) {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff && !NOT_A_CHARACTER.test(String.fromCodePoint(code))
    }
    NAME.lastIndex = 0
    return KNOWN.has(name) || (this.anyEntity && NAME.exec(name)?.[0] === name)
  }

  /** Space, comments and instructions around the root. */
  between(): void {
    for (;;) {
      this.take(SPACE, '')
      if (this.text.startsWith('<!--', this.at)) this.comment()
      else if (this.text.startsWith('<?', this.at)) this.instruction()
      else return
    }
  }

  comment(): void {
    const end = this.text.indexOf('--', this.at + 4)
    if (end < 0 || this.text[end + 2] !== '>') throw this.wrong('a comment that is not closed')
    this.at = end + 3
  }

  instruction(): void {
    this.at += 2
    const name = this.take(NAME, 'a name')
    if (name.toLowerCase() === 'xml') throw this.wrong('a declaration that is not at the start, or malformed')
    if (!/^(?:[ \t\r\n]|\?>)/.test(this.text.slice(this.at, this.at + 2)))
      throw this.wrong('expected a space after ' + name)
    this.past('?>')
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

  wrong(what: string): NotXml {
    return new NotXml('not XML: ' + what + ' (at ' + this.at + ')')
  }
}
