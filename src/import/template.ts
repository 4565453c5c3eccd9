// Nunjucks templates within limits: variables, paths, common filters, if, for, set, raw, comments, white space control.
// Pure: a template can read its variables and nothing else. What is not known is an error, never a guess.
import { Expressions, textOf, truthy, TemplateError, type Scope } from './expression.js'

export { TemplateError } from './expression.js'

const MAX_OUTPUT = 4 * 1024 * 1024
const MAX_STEPS = 1_000_000

/** Throws a TemplateError. */
export function renderTemplate(template: string, variables: Scope): string {
  if (!hasTags(template)) return template
  const writer = new Writer()
  runNodes(parse(template), Object.assign(Object.create(null) as Scope, variables), writer)
  return writer.text
}

function hasTags(text: string): boolean {
  return /\{\{|\{%|\{#/.test(text)
}

/** The names that are alone in `{{ … }}`, if there is nothing else in the template. */
export function plainVariables(template: string): string[] | undefined {
  const names: string[] = []
  const rest = template.replaceAll(/\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}/g, (_, name: string) => {
    names.push(name)
    return ''
  })
  return hasTags(rest) || rest.includes('}}') ? undefined : names
}

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; code: string }
  | { kind: 'set'; name: string; code: string }
  | { kind: 'if'; branches: Array<{ code: string | undefined; body: Node[] }> }
  | { kind: 'for'; names: string[]; code: string; body: Node[]; empty: Node[] }

interface Tag {
  kind: 'text' | 'print' | 'tag'
  text: string
}

class Writer {
  text = ''
  #steps = 0

  add(text: string): void {
    this.step()
    this.text += text
    if (this.text.length > MAX_OUTPUT) throw new TemplateError('the text grows beyond 4 MB')
  }

  step(): void {
    if ((this.#steps += 1) > MAX_STEPS) throw new TemplateError('the template takes too many steps')
  }
}

function runNodes(nodes: Node[], scope: Scope, writer: Writer): void {
  for (const node of nodes) {
    writer.step()
    switch (node.kind) {
      case 'text':
        writer.add(node.text)
        break
      case 'print':
        writer.add(textOf(evaluate(node.code, scope)))
        break
      case 'set':
        scope[node.name] = evaluate(node.code, scope)
        break
      case 'if': {
        const taken = node.branches.find(({ code }) => code === undefined || truthy(evaluate(code, scope)))
        if (taken) runNodes(taken.body, scope, writer)
        break
      }
      case 'for':
        runLoop(node, scope, writer)
    }
  }
}

function runLoop(node: Extract<Node, { kind: 'for' }>, scope: Scope, writer: Writer): void {
  const items = itemsOf(evaluate(node.code, scope), node.names.length)
  if (items.length === 0) return runNodes(node.empty, scope, writer)
  for (const [index, item] of items.entries()) {
    const inner = Object.assign(Object.create(null) as Scope, scope)
    for (const [at, name] of node.names.entries())
      inner[name] = node.names.length === 1 ? item : (item as unknown[])[at]
    inner['loop'] = {
      index: index + 1,
      index0: index,
      revindex: items.length - index,
      first: index === 0,
      last: index === items.length - 1,
      length: items.length,
    }
    runNodes(node.body, inner, writer)
  }
}

function itemsOf(value: unknown, names: number): unknown[] {
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value === 'object' && names === 2) return Object.entries(value)
  throw new TemplateError('only a list, or an object by key and value, can be gone through')
}

function evaluate(code: string, scope: Scope): unknown {
  return new Expressions(code, scope).whole()
}

function parse(template: string): Node[] {
  const parser = new Parser(tagsOf(template))
  const nodes = parser.nodes([])
  return nodes
}

const TAG = /\{\{-?([\s\S]*?)-?\}\}|\{%-?([\s\S]*?)-?%\}|\{#-?[\s\S]*?-?#\}/g

function tagsOf(template: string): Tag[] {
  const tags: Tag[] = []
  let at = 0
  let trimStart = false
  TAG.lastIndex = 0
  const addText = (text: string, trimEnd: boolean): void => {
    const from = trimStart ? text.trimStart() : text
    const kept = trimEnd ? from.trimEnd() : from
    if (/\{\{|\{%/.test(kept)) throw new TemplateError('a tag that is never closed')
    if (kept !== '') tags.push({ kind: 'text', text: kept })
  }
  for (let match = TAG.exec(template); match; match = TAG.exec(template)) {
    const [whole, print, tag] = match
    const raw = tag === undefined ? undefined : /^\s*(raw|verbatim)\s*$/.exec(tag)?.[1]
    addText(template.slice(at, match.index), whole[2] === '-')
    at = match.index + whole.length
    trimStart = whole.at(-3) === '-'
    if (raw !== undefined) {
      const end = new RegExp(`\\{%-?\\s*end${raw}\\s*-?%\\}`, 'g')
      end.lastIndex = at
      const close = end.exec(template)
      if (!close) throw new TemplateError(`{% ${raw} %} is never closed`)
      tags.push({ kind: 'text', text: template.slice(at, close.index) })
      at = close.index + close[0].length
      trimStart = close[0].at(-3) === '-'
      TAG.lastIndex = at
    } else if (print !== undefined) tags.push({ kind: 'print', text: print.trim() })
    else if (tag !== undefined) tags.push({ kind: 'tag', text: tag.trim() })
  }
  addText(template.slice(at), false)
  return tags
}

class Parser {
  readonly #tags: Tag[]
  #at = 0
  #depth = 0

  constructor(tags: Tag[]) {
    this.#tags = tags
  }

  /** Up to one of the tags that may end them, which is left for the caller. */
  nodes(ends: string[]): Node[] {
    if ((this.#depth += 1) > 50) throw new TemplateError('tags nested too deeply')
    const nodes: Node[] = []
    for (let tag = this.#tags[this.#at]; tag; tag = this.#tags[this.#at]) {
      const [word = ''] = tag.kind === 'tag' ? tag.text.split(/\s+/, 1) : []
      if (tag.kind === 'tag' && ends.includes(word)) break
      this.#at += 1
      if (tag.kind === 'text') nodes.push({ kind: 'text', text: tag.text })
      else if (tag.kind === 'print') nodes.push({ kind: 'print', code: tag.text })
      else nodes.push(this.#tag(word, tag.text.slice(word.length).trim()))
    }
    if (ends.length > 0 && this.#at >= this.#tags.length) throw new TemplateError(`{% ${ends.at(-1)} %} is missing`)
    this.#depth -= 1
    return nodes
  }

  #tag(word: string, rest: string): Node {
    if (word === 'if') return this.#if(rest)
    if (word === 'for') return this.#for(rest)
    if (word === 'set') {
      const [, name, code] = /^([A-Za-z_]\w*)\s*=\s*([\s\S]+)$/.exec(rest) ?? []
      if (name === undefined || code === undefined) throw new TemplateError(`{% set ${rest} %} is not carried over`)
      return { kind: 'set', name, code }
    }
    throw new TemplateError(`the tag {% ${word} %} is not carried over`)
  }

  #if(first: string): Node {
    const branches: Array<{ code: string | undefined; body: Node[] }> = []
    let code: string | undefined = first
    for (;;) {
      const ends: string[] = code === undefined ? ['endif'] : ['elif', 'elseif', 'else', 'endif']
      branches.push({ code, body: this.nodes(ends) })
      const closing: string = this.#tags[this.#at]?.text ?? 'endif'
      this.#at += 1
      if (closing === 'endif') return { kind: 'if', branches }
      code = closing === 'else' ? undefined : closing.replace(/^else?if\s+|^elif\s+/, '')
    }
  }

  #for(rest: string): Node {
    const [, left, code] = /^([\w\s,]+?)\s+in\s+([\s\S]+)$/.exec(rest) ?? []
    const names = (left ?? '').split(',').map((name) => name.trim())
    if (code === undefined || names.length > 2 || names.some((name) => !/^[A-Za-z_]\w*$/.test(name)))
      throw new TemplateError(`{% for ${rest} %} is not carried over`)
    const body = this.nodes(['else', 'endfor'])
    let empty: Node[] = []
    if (this.#tags[this.#at]?.text === 'else') {
      this.#at += 1
      empty = this.nodes(['endfor'])
    }
    this.#at += 1
    return { kind: 'for', names, code, body, empty }
  }
}
