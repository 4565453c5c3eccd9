// A cassette file → its interactions, each with the lines it is written in. Whatever is not right is an error with its line.
import { readFileSync, statSync } from 'node:fs'
import { isMap, isScalar, isSeq, type LineCounter, type ParsedNode, type YAMLMap } from 'yaml'
import { isRecord } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { UserError, type Problem } from '../errors.js'
import { parseStrictYaml } from '../files/strict-yaml.js'
import type { Interaction, RecordedRequest, RecordedResponse } from '../model/cassette.js'
import { keyOf } from './keys.js'

export const CASSETTE_FORMAT = 1
const MAX_BYTES = 64 * 1024 * 1024

export interface WrittenInteraction extends Interaction {
  file: string
  /** Counted from 1. */
  number: number
  /** The line it begins in. */
  line: number
}

export interface Cassette {
  path: string
  text: string
  interactions: WrittenInteraction[]
  /** The time of day that prompts were told, as it was on the wall. */
  clock?: string
  /** Of an orchestrator run: what answered. */
  backend?: string
}

/** Throws a UserError with every mistake; undefined when there is no such file. */
export function readCassette(path: string): Cassette | undefined {
  const size = sizeOf(path)
  if (size === undefined) return undefined
  if (size > MAX_BYTES)
    throw bad(path, [{ message: `${Math.round(size / 1024 / 1024)} MB: a cassette is 64 MB at most` }])
  return parseCassette(readFileSync(path, 'utf8'), path)
}

export function parseCassette(text: string, path: string): Cassette {
  const conflict = /^(?:<{7}|={7}|>{7})(?: .*)?$/m.exec(text)
  if (conflict)
    throw bad(path, [
      {
        line: text.slice(0, conflict.index).split('\n').length,
        message: 'a conflict marker: the merge is not finished',
      },
    ])
  const { parts, lines } = parseStrictYaml(text, { plain: true })
  const wrong = parts.flatMap((part) => ('problems' in part ? part.problems : []))
  if (wrong.length > 0) throw bad(path, wrong)
  const [document] = parts
  if (!document || 'problems' in document || parts.length > 1)
    throw bad(path, [{ line: 1, message: `expected one YAML document, found ${parts.length}` }])
  const reader = new Reader(path, lines)
  return { path, text, ...reader.file(document.contents) }
}

const REQUEST_FIELDS = [
  'hat',
  'case',
  'run',
  'attempt',
  'prompt_hash',
  'prompt_preview',
  'connector',
  'same_messages',
  'messages',
  'tools',
  'parameters',
]

export const RESPONSE_FIELDS = [
  'status',
  'headers',
  'output',
  'chunks',
  'chunk_ms',
  'error',
  'reported_error',
  'tool_calls',
  'finish_reason',
  'awaiting_input',
  'input_hint',
  'next',
  'usage',
  'tokens',
  'cost_dollars',
  'messages',
  'first_chunk_ms',
  'exit_code',
  'stdout',
  'files',
  'stderr',
  'output_encoding',
  'leaked',
  'events',
  'files',
  'logs',
  'logs_dropped',
  'start_ms',
  'duration_ms',
]

class Reader {
  readonly #path: string
  readonly #lines: LineCounter
  readonly #problems: Problem[] = []

  constructor(path: string, lines: LineCounter) {
    this.#path = path
    this.#lines = lines
  }

  file(contents: ParsedNode | null): Pick<Cassette, 'interactions' | 'clock' | 'backend'> {
    if (!isMap(contents)) throw bad(this.#path, [{ line: 1, message: 'expected "interactions" and "metadata"' }])
    const list = contents.get('interactions', true) as ParsedNode | undefined
    const metadata = contents.get('metadata', true) as ParsedNode | undefined
    this.#known(contents, ['interactions', 'metadata'])
    // It is written last: a file that was cut short has none, or half of one.
    if (!isMap(metadata) || metadata.get('interactions') === undefined)
      throw bad(this.#path, [
        ...this.#problems,
        {
          line: this.#lines.lineStarts.length,
          message: 'cut short: "metadata" with its count of "interactions" is missing at the end',
        },
      ])
    const format: unknown = metadata.get('format')
    if (format !== CASSETTE_FORMAT)
      throw bad(this.#path, [
        {
          line: this.#lineOf(metadata, 'format'),
          field: 'metadata.format',
          message: `expected ${CASSETTE_FORMAT}, found ${JSON.stringify(format) ?? 'nothing'}: written by another version of Viva`,
        },
      ])
    if (!isSeq(list))
      throw bad(this.#path, [
        { line: this.#lineOf(contents, 'interactions'), message: '"interactions" must be a list' },
      ])
    const interactions = this.#interactions(list.items as ParsedNode[])
    const count: unknown = metadata.get('interactions')
    if (this.#problems.length === 0 && count !== list.items.length)
      this.#add(
        this.#lineOf(metadata, 'interactions'),
        'metadata.interactions',
        `says ${JSON.stringify(count)}, but there are ${list.items.length}; correct the number if you removed or added some`,
      )
    if (this.#problems.length > 0) throw bad(this.#path, this.#problems)
    const clock: unknown = metadata.get('clock')
    const backend: unknown = metadata.get('backend')
    return {
      interactions,
      ...(typeof clock === 'string' && { clock }),
      ...(typeof backend === 'string' && { backend }),
    }
  }

  #interactions(items: ParsedNode[]): WrittenInteraction[] {
    const previous = new Map<string, RecordedRequest>()
    return items.flatMap((item, index) => {
      const line = this.#lines.linePos(item?.range[0] ?? 0).line
      const field = `interactions[${index}]`
      if (!isMap(item)) return this.#add(line, field, 'must have "request" and "response"')
      this.#known(item, ['request', 'response'], field)
      const request = item.get('request', true) as ParsedNode | undefined
      const response = item.get('response', true) as ParsedNode | undefined
      if (!isMap(request)) return this.#add(line, `${field}.request`, 'is missing')
      if (!isMap(response)) return this.#add(line, `${field}.response`, 'is missing')
      const asked = this.#request(request, `${field}.request`, previous)
      const answered = this.#response(response, `${field}.response`)
      return asked && answered ? [{ ...asked, response: answered, file: this.#path, number: index + 1, line }] : []
    })
  }

  #request(
    node: YAMLMap,
    field: string,
    previous: Map<string, RecordedRequest>,
  ): Omit<WrittenInteraction, 'response' | 'file' | 'number' | 'line'> | undefined {
    const before = this.#problems.length
    this.#known(node, REQUEST_FIELDS, field)
    const value = node.toJSON() as Record<string, unknown>
    const hat = this.#text(node, value, 'hat', field)
    const prompt_hash = this.#text(node, value, 'prompt_hash', field)
    if (prompt_hash !== '' && !/^sha256:[0-9a-f]{64}$/.test(prompt_hash))
      this.#add(
        this.#lineOf(node, 'prompt_hash'),
        `${field}.prompt_hash`,
        `expected sha256: and 64 hexadecimal digits, found ${JSON.stringify(prompt_hash)}`,
      )
    const take = {
      case: value['case'] === undefined ? '' : this.#text(node, value, 'case', field),
      run: this.#count(node, value, 'run', field),
      attempt: this.#count(node, value, 'attempt', field),
    }
    const key = keyOf(take, hat)
    const last = previous.get(key)
    const same = value['same_messages'] ?? 0
    const known = last?.messages.length ?? 0
    if (typeof same !== 'number' || !Number.isInteger(same) || same < 0 || same > known)
      this.#add(
        this.#lineOf(node, 'same_messages'),
        `${field}.same_messages`,
        `expected a number from 0 to ${known}, the messages of the interaction before it in this conversation, found ${JSON.stringify(same)}`,
      )
    const own = value['messages'] ?? []
    if (!Array.isArray(own)) this.#add(this.#lineOf(node, 'messages'), `${field}.messages`, 'must be a list')
    else if (value['messages'] === undefined && value['same_messages'] === undefined)
      this.#add(this.#lineOf(node), `${field}.messages`, 'is missing')
    if (this.#problems.length > before) return undefined
    const request: RecordedRequest = {
      messages: [...(last?.messages.slice(0, same as number) ?? []), ...(own as unknown[])],
    }
    const connector = value['connector'] ?? last?.connector
    if (typeof connector === 'string') request.connector = connector
    // Null: the interaction before had some, this one has none.
    const tools = value['tools'] === undefined ? last?.tools : value['tools']
    if (Array.isArray(tools)) request.tools = tools as unknown[]
    const parameters = value['parameters'] === undefined ? last?.parameters : value['parameters']
    if (isRecord(parameters)) request.parameters = parameters
    previous.set(key, request)
    return { ...take, hat, prompt_hash, request }
  }

  #response(node: YAMLMap, field: string): RecordedResponse | undefined {
    const before = this.#problems.length
    this.#known(node, RESPONSE_FIELDS, field)
    const value = node.toJSON() as Record<string, unknown>
    const { error, output, chunks, chunk_ms } = value
    if (output === undefined && chunks === undefined && error === undefined)
      this.#add(this.#lineOf(node), `${field}.output`, 'is missing')
    if (
      error !== undefined &&
      !(isRecord(error) && typeof error['code'] === 'string' && typeof error['message'] === 'string')
    )
      this.#add(this.#lineOf(node, 'error'), `${field}.error`, 'must have a "code" and a "message"')
    if (chunks !== undefined && !(Array.isArray(chunks) && chunks.every(isChunk)))
      this.#add(this.#lineOf(node, 'chunks'), `${field}.chunks`, 'must be a list of texts, or of {base64: …}')
    if (chunk_ms !== undefined && !(Array.isArray(chunk_ms) && chunk_ms.every((ms) => typeof ms === 'number')))
      this.#add(this.#lineOf(node, 'chunk_ms'), `${field}.chunk_ms`, 'must be a list of numbers')
    const { duration_ms = 0, tool_calls = [] } = value
    if (typeof duration_ms !== 'number' || duration_ms < 0)
      this.#add(this.#lineOf(node, 'duration_ms'), `${field}.duration_ms`, 'must be a number, 0 or more')
    if (!Array.isArray(tool_calls) || !tool_calls.every((call) => isRecord(call) && typeof call['name'] === 'string'))
      this.#add(this.#lineOf(node, 'tool_calls'), `${field}.tool_calls`, 'must be a list of calls, each with a "name"')
    return this.#problems.length > before ? undefined : { ...value, duration_ms: duration_ms as number }
  }

  #text(node: YAMLMap, value: Record<string, unknown>, key: string, field: string): string {
    const text = value[key]
    if (typeof text === 'string' && text !== '') return text
    this.#add(
      this.#lineOf(node, key),
      `${field}.${key}`,
      text === undefined ? 'is missing' : `must be text, found ${JSON.stringify(text)}`,
    )
    return ''
  }

  #count(node: YAMLMap, value: Record<string, unknown>, key: string, field: string): number {
    const count = value[key] ?? 1
    if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count
    this.#add(
      this.#lineOf(node, key),
      `${field}.${key}`,
      `must be a whole number from 1, found ${JSON.stringify(count)}`,
    )
    return 1
  }

  #known(node: YAMLMap, known: string[], field?: string): void {
    for (const { key } of node.items) {
      const name = isScalar(key) ? String(key.value) : ''
      if (known.includes(name)) continue
      const near = suggest(name, known)
      const path = field === undefined ? name : `${field}.${name}`
      this.#add(this.#lineOf(node, name), path, `unknown field${near === undefined ? '' : `; did you mean "${near}"?`}`)
    }
  }

  #lineOf(node: YAMLMap, key?: string): number {
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key)
    const at = (pair?.key as ParsedNode | undefined)?.range[0] ?? node.range?.[0] ?? 0
    return this.#lines.linePos(at).line
  }

  #add(line: number, field: string, message: string): [] {
    this.#problems.push({ line, field, message })
    return []
  }
}

function isChunk(chunk: unknown): boolean {
  return typeof chunk === 'string' || (isRecord(chunk) && typeof chunk['base64'] === 'string')
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const MOST = 5

function bad(path: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'BAD_CASSETTE',
    message: `${path} cannot be read as a recording${problems.length > MOST ? ` (${problems.length} problems)` : ''}`,
    hint: 'correct it, or name another file; a recording that is broken for good can be removed and made again',
    // The first say why; a file of another kind has one at every word.
    problems: problems.slice(0, MOST).map((problem) => ({ file: path, ...problem })),
  })
}
