// What is kept of a request and a response, and when two requests are the same.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../base/json/canonical-json.js'
import { mapStrings } from '../base/map-strings.js'
import { unixLines } from '../base/text.js'
import type { RecordedRequest } from '../model/cassette.js'
import { listReplacements, Placeholders, replaceAll } from '../redact/normalise-text.js'
import { createNormaliser, type NormaliserName, type TextReplacement } from '../redact/normalisers.js'
import type { Redactor } from '../redact/redactor.js'

export interface AskedRequest {
  connector?: string
  messages: readonly unknown[]
  tools?: readonly unknown[]
  parameters?: Record<string, unknown>
}

export interface NormaliserInit {
  /** Hides secrets and nothing else. */
  secrets: Redactor
  /** `redactions.patterns` of the configuration. */
  patterns: Record<string, string | boolean>
  /** The application root: `[WORKSPACE]` in a recording. */
  root: string
}

const BUILT_IN: readonly NormaliserName[] = ['$TIMESTAMP', '$UUID', '$PATH', '$DURATION']
/** What a request carries for the transport, not for whoever answers. */
const NOT_ASKED = new Set(['cache_control', 'headers', 'extra_headers', 'idempotency_key'])
/** As `newRunId` makes them; chat ids begin with one. */
const RUN_ID: TextReplacement = {
  placeholder: 'RUN_ID',
  numbered: false,
  replace: (text, replacer) => text.replace(/\brun-[0-9a-z]{7,10}-[0-9a-f]{8}\b/g, replacer),
}
/** A judge's data stands between tags that are made from it. */
const TAG: TextReplacement = {
  placeholder: 'TAG',
  numbered: false,
  replace: (text, replacer) => text.replace(/(?<=\bdata-)[0-9a-f]{24}\b/g, replacer),
}
const MIN_BASE64 = 256

export class Normaliser {
  readonly #init: NormaliserInit
  readonly #replacements: TextReplacement[]
  readonly #path: TextReplacement | undefined

  constructor(init: NormaliserInit) {
    this.#init = init
    const { patterns, root } = init
    this.#replacements = [RUN_ID, TAG, ...listReplacements(patterns, { normalisers: BUILT_IN, workspaces: [root] })]
    this.#path = patterns['$PATH'] === false ? undefined : createNormaliser('$PATH', [root])
  }

  /** With further patterns. */
  with(patterns: Record<string, string>): Normaliser {
    return new Normaliser({ ...this.#init, patterns: { ...this.#init.patterns, ...patterns } })
  }

  /** As it is kept: secrets and what changes from run to run are replaced, white space stays readable. */
  request({ connector, messages, tools, parameters }: AskedRequest): RecordedRequest {
    const asked: RecordedRequest = { messages: [...messages] }
    if (connector !== undefined) asked.connector = connector
    if (tools && tools.length > 0) asked.tools = tools.toSorted((a, b) => (toolName(a) < toolName(b) ? -1 : 1))
    if (parameters && Object.keys(parameters).length > 0) asked.parameters = parameters
    const plain = mapStrings(asked, shortened, (key) => NOT_ASKED.has(key)) as RecordedRequest
    return this.again(this.#init.secrets.value(plain))
  }

  /** A request that was kept, by the patterns of today. */
  again(request: RecordedRequest): RecordedRequest {
    const placeholders = new Placeholders()
    return mapStrings(request, (text) =>
      replaceAll(wellFormed(unixLines(text)), this.#replacements, placeholders),
    ) as RecordedRequest
  }

  /** Answers keep their meaning: only secrets and the path of the application are replaced. */
  response<T>(response: T): T {
    return mapStrings(this.#init.secrets.value(response), (text) => this.#withoutPath(wellFormed(text))) as T
  }

  /** The same for a text that is put together again from parts of a response. */
  responseText(text: string): string {
    return this.#withoutPath(this.#init.secrets.text(text))
  }

  /** A response that was kept, as it is answered here. */
  filled<T>(response: T): T {
    if (!this.#path) return response
    return mapStrings(response, (text) => text.replaceAll('[WORKSPACE]', this.#init.root)) as T
  }

  hat(hat: string): string {
    return this.#withoutPath(this.#init.secrets.text(hat))
  }

  #withoutPath(text: string): string {
    return this.#path?.replace(text, () => '[WORKSPACE]') ?? text
  }
}

/** Of ours, or in the wire format of a provider. */
function toolName(tool: unknown): string {
  const { name, function: own, type } = tool as { name?: unknown; function?: { name?: unknown }; type?: unknown }
  return String(name ?? own?.name ?? type)
}

/** Requests that differ in nothing but white space and the order of keys have the same. */
export function hashOf(request: RecordedRequest): string {
  return `sha256:${createHash('sha256')
    .update(canonicalJson(mapStrings(request, collapsed)))
    .digest('hex')}`
}

export function collapsed(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[\n ]*/g, '\n')
    .trim()
}

/** Half a surrogate pair cannot be written as UTF-8. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

/** What is attached is kept by its hash and size. */
function shortened(text: string): string {
  const url = /^data:([^,;]*)[^,]{0,200}?;base64,/.exec(text)
  if (url) return attachment(url[1] ?? '', text.slice(url[0].length))
  if (text.length < MIN_BASE64 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text
  return attachment('base64', text)
}

function attachment(kind: string, base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  return `[${kind} sha256:${createHash('sha256').update(bytes).digest('hex')} ${bytes.length} bytes]`
}
