// What is kept of a request and a response, and when two requests are the same.
import { hash } from 'node:crypto'
import { mapStrings } from '../base/map-strings.js'
import { isRecord } from '../base/record.js'
import { unixLines } from '../base/text.js'
import type { MatchingRule, RecordedRequest } from '../model/cassette.js'
import { placeholderFor } from '../redact/custom.js'
import { hiddenName } from '../redact/hidden-name.js'
import { listReplacements, Placeholders, renumbering, replaceAll } from '../redact/normalise-text.js'
import { createNormaliser, type NormaliserName, type TextReplacement } from '../redact/normalisers.js'
import type { Redactor } from '../redact/redactor.js'
import { declaresAny, hideDeclared, OWN_KEYS, type AnswerHider } from './declared-redactions.js'

export interface AskedRequest {
  connector?: string
  messages: readonly unknown[]
  /** The same with the time that prompts state; old recordings have it. */
  told?: readonly unknown[]
  tools?: readonly unknown[]
  parameters?: Record<string, unknown>
}

export interface NormaliserInit {
  /** Hides secrets. */
  secrets: Redactor
  /** `redactions.patterns` of the configuration, and of this recording. */
  patterns: Record<string, string | boolean>
  /** `redactions.paths` of the configuration. */
  paths?: readonly string[] | undefined
  /** The application root: `[WORKSPACE]` in a recording. */
  root: string
  /** Default: `normalised`. */
  matching?: MatchingRule
}

/** What is replaced although nobody has declared it. */
const BUILT_IN: Readonly<Record<MatchingRule, readonly NormaliserName[]>> = {
  exact: ['$PATH'],
  normalised: ['$TIMESTAMP', '$UUID', '$PATH', '$DURATION'],
  older: ['$TIMESTAMP', '$UUID', '$PATH', '$DURATION'],
}
/** Wherever it appears, it says how to bill and not what is asked. */
export const NOT_ASKED: ReadonlySet<string> = new Set(['cache_control'])
/** For the transport, not for the model or agent. Nested deeper, the same names are what a user or a model said. */
export const TRANSPORT: readonly string[] = ['headers', 'extra_headers', 'idempotency_key']
/** As `newRunId` creates them; chat ids begin with one. */
const RUN_ID: TextReplacement = {
  placeholder: 'RUN_ID',
  numbered: false,
  replace: (text, replacer) => text.replace(/\brun-[0-9a-z]{7,10}-[0-9a-f]{8}\b/g, replacer),
}
/** A judge's data is between tags that are derived from it. */
const TAG: TextReplacement = {
  placeholder: 'TAG',
  numbered: false,
  replace: (text, replacer) => text.replace(/(?<=\bdata-)[0-9a-f]{24}\b/g, replacer),
}
/** The workspace of a case and its home, which are other folders every time; some agents write paths with dashes. */
const CASE_FOLDER: TextReplacement = {
  placeholder: 'CASE_FOLDER',
  numbered: false,
  replace: (text, replacer) =>
    text.replace(
      /\bviva-workspaces(?:-\d+)?[\\/-]{1,2}(?:folders[\\/-]{1,2}case-[0-9a-f]{16}-[A-Za-z0-9]{6}|state[\\/-]{1,2}[0-9a-f]{32})(?!\w)/g,
      replacer,
    ),
}
/** What answers have in place of secrets, and of values that paths hide. */
const SECRETS: ReadonlySet<string> = new Set(['SECRET', 'API_KEY', 'JWT', 'PRIVATE_KEY', 'REDACTED'])
const GENERATED: ReadonlySet<string> = new Set(['RUN_ID', 'TAG', 'CASE_FOLDER', 'WORKSPACE'])
const MIN_BASE64 = 256
const MOST_KNOWN = 200
const LONGEST_KNOWN = 10_000

export class Normaliser {
  readonly matching: MatchingRule
  readonly #init: NormaliserInit
  readonly #others = new Map<MatchingRule, Normaliser>()
  /** White space in what is compared. */
  readonly #spaced: (text: string) => string
  readonly #replacements: TextReplacement[]
  /** Of them, those that have to do with what a project must not show. */
  readonly #declared: TextReplacement[]
  readonly #declaredNames: ReadonlySet<string>
  readonly #path: TextReplacement | undefined
  /** Strings in which nothing is replaced. */
  readonly #clean = new Set<string>()
  readonly #hats = new Map<string, string>()
  readonly #texts = new Map<string, string>()
  #hasPlaces = true
  readonly #answers: AnswerHider | undefined
  /** With placeholders of its own: what it is shown is in no file. */
  #probe: AnswerHider | undefined
  /** Of answers: the same value has the same placeholder in the whole recording. */
  readonly #placeholders = new Placeholders()

  constructor(init: NormaliserInit) {
    this.#init = init
    const { patterns, paths = [], root, matching = 'normalised' } = init
    this.matching = matching
    this.#spaced = matching === 'exact' ? (text) => text : collapsed
    const older = matching === 'older'
    const replacements = listReplacements(patterns, { normalisers: BUILT_IN[matching], workspaces: [root], older })
    // What a replayed answer says in placeholders is asked about in placeholders.
    this.#replacements = [RUN_ID, TAG, CASE_FOLDER, ...renumbering(replacements)]
    this.#declared = renumbering(listReplacements(patterns, { workspaces: [root], older }))
    this.#declaredNames = new Set(this.#declared.map(({ placeholder }) => placeholder))
    const declared = { patterns, paths, root, placeholders: this.#placeholders }
    this.#answers = declaresAny(declared) ? hideDeclared(declared) : undefined
    this.#path = patterns['$PATH'] === false ? undefined : createNormaliser('$PATH', [root])
  }

  /** The first text in `value` that declared redactions would hide in a recorded answer. */
  hiddenIn(value: unknown): string | undefined {
    if (!this.#answers) return undefined
    const { patterns, root } = this.#init
    const { text: hide } = (this.#probe ??= hideDeclared({
      patterns,
      paths: [],
      root,
      placeholders: new Placeholders(),
    }))
    let found: string | undefined
    mapStrings(value, (text) => {
      if (found === undefined && hide(text) !== text) found = text
      return text
    })
    return found
  }

  /** The same by another rule. */
  by(matching: MatchingRule): Normaliser {
    if (matching === this.matching) return this
    let other = this.#others.get(matching)
    if (!other) this.#others.set(matching, (other = new Normaliser({ ...this.#init, matching })))
    return other
  }

  /** Requests with the same hash are the same. */
  hash(request: RecordedRequest): string {
    return hashOf(request, this.matching)
  }

  /** The names of the placeholders in it that stand for something hidden. */
  hiddenNames(value: unknown): string[] {
    return [...namesIn(value)].filter((name) => SECRETS.has(name) || this.#declaredNames.has(name))
  }

  /** Whether what a placeholder stands for may be several words. */
  hidesPhrases(name: string): boolean {
    const patterns = Object.entries(this.#init.patterns)
    return patterns.some(
      ([key, pattern]) =>
        typeof pattern === 'string' && placeholderFor(key) === name && /[ .]|\\[sSWDpP]|\[\^/.test(pattern),
    )
  }

  /** With further patterns. */
  with(patterns: Record<string, string>): Normaliser {
    return new Normaliser({ ...this.#init, patterns: { ...this.#init.patterns, ...patterns } })
  }

  /** As it is kept: secrets and what changes from run to run are replaced, white space stays readable. */
  request(asked: AskedRequest): RecordedRequest {
    const plain = mapStrings(shapeOf(asked), shortened, (key) => NOT_ASKED.has(key)) as RecordedRequest
    return this.redacted(plain)
  }

  /** The hash of the request as asked, with the secrets in it; without any it is the hash of what is kept. */
  keyOf(asked: AskedRequest): string {
    const change = this.#changing(shortened)
    const textOf = (value: unknown): string => canonical(value, (text) => this.#spaced(change(text)), NOT_ASKED)
    const shape = shapeOf(asked)
    const parts: string[] = []
    if (shape.connector !== undefined) parts.push(`"connector":${textOf(shape.connector)}`)
    parts.push(`"messages":${textOf(shape.messages)}`)
    if (shape.parameters) parts.push(`"parameters":${this.#again(shape.parameters, textOf)}`)
    if (shape.tools) parts.push(`"tools":${this.#again(shape.tools, textOf)}`)
    return `sha256:${sha256(`{${parts.join(',')}}`)}`
  }

  /**
   * To the letter, for answers that are found by nothing but what is asked. Left out is only what says nothing about it; a
   * stored request has the hash it was asked with, unless something in it was replaced.
   */
  exactHash(asked: AskedRequest): string {
    const kept = [RUN_ID, TAG, ...(this.#path ? [this.#path] : [])]
    const change = (text: string): string => replaceAll(shortened(text), kept, new Placeholders())
    return sha256(canonical(shapeOf(asked), change, NOT_ASKED))
  }

  /** What comes with every call; replaced strings may be numbered, so the result differs in another place. */
  #again(value: unknown, textOf: (value: unknown) => string): string {
    const json = JSON.stringify(value)
    let text = this.#texts.get(json)
    if (text !== undefined) return text
    text = textOf(value)
    if (this.#texts.size < MOST_KNOWN && allTexts(value).every((item) => this.#clean.has(item)))
      this.#texts.set(json, text)
    return text
  }

  /** The names of what was replaced in a request, but for what Viva itself has generated. */
  replacedIn(asked: AskedRequest): string[] {
    const before = namesIn(shapeOf(asked))
    return [...namesIn(this.request(asked))].filter((name) => !before.has(name) && !GENERATED.has(name))
  }

  /** A stored request, with today's patterns applied. */
  again(request: RecordedRequest): RecordedRequest {
    const placeholders = new Placeholders()
    const rename = (key: string): string => (OWN_KEYS.has(key) ? key : replaceAll(key, this.#declared, placeholders))
    const change = this.#changing(undefined, placeholders)
    return mapStrings(request, change, undefined, this.#declared.length > 0 ? rename : undefined) as RecordedRequest
  }

  /** For the strings of one request. */
  #changing(
    first: (text: string) => string = (text) => text,
    placeholders: Placeholders = new Placeholders(),
  ): (text: string) => string {
    return (text) => {
      if (this.#clean.has(text)) return text
      const changed = replaceAll(wellFormed(unixLines(first(text))), this.#replacements, placeholders)
      // Prompts and contexts recur in every call: the first strings are the ones worth remembering.
      if (changed === text && this.#clean.size < MOST_KNOWN && text.length <= LONGEST_KNOWN) this.#clean.add(text)
      return changed
    }
  }

  /** A stored request, with today's secrets hidden too. */
  redacted(request: RecordedRequest): RecordedRequest {
    return this.again(this.#init.secrets.value(this.#answers?.history(request) ?? request))
  }

  /** Any string without its secrets. */
  hidden(text: string): string {
    return this.#init.secrets.text(text)
  }

  /** A case by its name in files. */
  nameOf(id: string): string {
    return hiddenName(id, this.#init.secrets)
  }

  /** Answers keep their meaning: only secrets, what is declared, and the path of the application are replaced. */
  response<T>(response: T): T {
    const hidden = this.#init.secrets.value(response)
    const kept = this.#answers?.response(hidden) ?? hidden
    return mapStrings(kept, (text) => this.#withoutPath(wellFormed(text))) as T
  }

  /** The same for text that is reassembled from parts of a response. */
  responseText(text: string): string {
    const hidden = this.#init.secrets.text(text)
    return this.#withoutPath(this.#answers?.text(hidden) ?? hidden)
  }

  /** A stored response, as it is answered here. */
  filled<T>(response: T): T {
    if (!this.#path || !this.#hasPlaces) return response
    return mapStrings(response, (text) => text.replaceAll('[WORKSPACE]', this.#init.root)) as T
  }

  /** Whether the stored response mentions the application at all; `goesOn`: new answers are added to these. */
  expectPlaces(texts: readonly string[], goesOn = false): void {
    if (goesOn) this.#placeholders.startAfter(texts)
    this.#hasPlaces = texts.some((text) => ['[WORKSPACE]', '$body', '$json'].some((part) => text.includes(part)))
  }

  hat(hat: string): string {
    let shown = this.#hats.get(hat)
    if (shown === undefined) this.#hats.set(hat, (shown = this.#withoutPath(this.#init.secrets.text(hat))))
    return shown
  }

  #withoutPath(text: string): string {
    return this.#path?.replace(text, () => '[WORKSPACE]') ?? text
  }
}

/** Of placeholders. */
function namesIn(value: unknown): Set<string> {
  const found = (JSON.stringify(value) ?? '').matchAll(/\[([A-Z][A-Z0-9_]*)(?:-[0-9]{1,9})?\]/g)
  return new Set([...found].map(([, name = '']) => name))
}

/** In our form, or in the wire format of a provider. */
function toolName(tool: unknown): string {
  const { name, function: own, type } = tool as { name?: unknown; function?: { name?: unknown }; type?: unknown }
  return String(name ?? own?.name ?? type)
}

function allTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allTexts) : []
}

export function hashOf(request: RecordedRequest, matching: MatchingRule): string {
  return `sha256:${sha256(canonical(request, matching === 'exact' ? (text) => text : collapsed))}`
}

/** The same but for what paths have hidden in answers: where a prompt quotes them, the recording has the value itself. */
export function isSameButHidden(asked: RecordedRequest, recorded: RecordedRequest): boolean {
  const textOf = (request: RecordedRequest): string => canonical(request, collapsed).replaceAll(/\s+|\\+[nrt]/g, '')
  const [first = '', ...rest] = textOf(asked).split(/(?:\\*")?\[REDACTED\](?:\\*")?/)
  const last = rest.pop()
  const text = textOf(recorded)
  if (last === undefined || !text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}

/** As JSON, with sorted keys; `change` is applied to strings, and the keys in `drop` are left out. */
function canonical(value: unknown, change: (text: string) => string, drop?: ReadonlySet<string>): string {
  if (typeof value === 'string') return JSON.stringify(change(value))
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, change, drop)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  let text = ''
  for (const key of Object.keys(value).toSorted()) {
    const item = (value as Record<string, unknown>)[key]
    if (item === undefined || key === '__proto__' || drop?.has(key)) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(item, change, drop)}`
  }
  return `{${text}}`
}

/** Without transport parameters, tools sorted by name, and nothing empty. */
export function shapeOf({ connector, messages, tools, parameters }: AskedRequest): RecordedRequest {
  const asked: RecordedRequest = { messages: messages.map(withoutTransport) }
  if (connector !== undefined) asked.connector = connector
  if (tools && tools.length > 0) asked.tools = tools.toSorted((a, b) => (toolName(a) < toolName(b) ? -1 : 1))
  if (parameters && Object.keys(parameters).length > 0) asked.parameters = withoutTransport(parameters)
  return asked
}

function withoutTransport<Part>(part: Part): Part {
  if (!isRecord(part) || !TRANSPORT.some((key) => key in part)) return part
  return Object.fromEntries(Object.entries(part).filter(([key]) => !TRANSPORT.includes(key))) as Part
}

function sha256(content: string | Uint8Array): string {
  return hash('sha256', content)
}

export function collapsed(text: string): string {
  if (!SPACED.test(text)) return text
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[\n ]*/g, '\n')
    .trim()
}

/** White space other than a single blank or line break between two words. */
const SPACED = /^\s|\s$|\s\s|[^\S\n ]/

/** An unpaired surrogate cannot be written as UTF-8. */
function wellFormed(text: string): string {
  return !/[\ud800-\udfff]/.test(text) ? text : text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

/** Attachments are kept by hash and size. */
function shortened(text: string): string {
  const url = /^data:([^,;]*)[^,]{0,200}?;base64,/.exec(text)
  if (url) return attachment(url[1] ?? '', text.slice(url[0].length))
  if (text.length < MIN_BASE64 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text
  return attachment('base64', text)
}

function attachment(kind: string, base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  return `[${kind} sha256:${sha256(bytes)} ${bytes.length} bytes]`
}
