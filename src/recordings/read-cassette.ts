// A cassette file → its interactions, each with the line it begins on. Anything wrong is an error with its line.
import { readFileSync } from 'node:fs'
import { isRecord } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { UserError, type Problem } from '../errors.js'
import { statOf } from '../files/stat.js'
import {
  MATCHING_RULES,
  type Interaction,
  type MatchingRule,
  type RecordedRequest,
  type RecordedResponse,
} from '../model/cassette.js'
import { bodiesBeside, putBackBodies, type ReadBody } from './bodies.js'
import { openYaml, type YamlCassette } from './cassette-yaml.js'
import { parseFast, type FastDocument } from './fast-yaml.js'
import { keyOf } from './keys.js'

export const CASSETTE_FORMAT = 1
/** With answers of several variants: a reader that knows only format 1 would give those of one to another. */
export const VARIANTS_CASSETTE_FORMAT = 2
const MAX_BYTES = 64 * 1024 * 1024

export interface WrittenInteraction extends Interaction {
  file: string
  /** Counted from 1. */
  number: number
  /** The line it begins on. */
  line: number
}

export interface Cassette {
  path: string
  text: string
  interactions: WrittenInteraction[]
  /** The agent that was recorded first. */
  agent?: string
  /** The local time of day that prompts stated; with the offset to UTC if known. */
  clock?: string
  timezone?: string
  /** Of an orchestrator run: the backend that answered. */
  backend?: string
  /** When two requests are the same. */
  matching?: MatchingRule
}

/** Throws a UserError with every mistake; undefined if there is no such file. */
export function readCassette(path: string): Cassette | undefined {
  const size = sizeOf(path)
  if (size === undefined) return undefined
  if (size > MAX_BYTES)
    throw bad(path, [
      {
        line: 1,
        message: `${Math.round(size / 1024 / 1024)} MB: a cassette is 64 MB at most; in a folder every case has its own file`,
      },
    ])
  return parseCassette(readFileSync(path, 'utf8'), path)
}

export function parseCassette(text: string, path: string, readBody: ReadBody = bodiesBeside(path)): Cassette {
  const mayConflict = text.includes('<<<<<<<') || text.includes('=======') || text.includes('>>>>>>>')
  const conflict = mayConflict ? /^(?:<{7}|={7}|>{7})(?: .*)?$/m.exec(text) : null
  if (conflict)
    throw bad(path, [
      {
        line: text.slice(0, conflict.index).split('\n').length,
        message: 'a conflict marker: the merge is not finished',
      },
    ])
  return { path, text, ...(readFast(text, path, readBody) ?? readWhole(text, path, readBody)) }
}

/** Undefined: for the library that knows the place of every mistake. */
function readFast(text: string, path: string, readBody: ReadBody): ReadCassette | undefined {
  const yaml = parseFast(text)
  if (!yaml) return undefined
  const { read, problems } = readDocument(yaml, new Reader(path, readBody))
  return problems.length === 0 ? read : undefined
}

/** What is wrong, with its lines. */
function readWhole(text: string, path: string, readBody: ReadBody): ReadCassette {
  const yaml = parsed(text, path)
  const { read, problems } = readDocument(yaml, new Reader(path, readBody))
  if (read && problems.length === 0) return read
  throw bad(
    path,
    problems.map(({ at, message }) => ({ line: yaml.lineOf(at), ...fieldOf(at), message })),
  )
}

function readDocument({ value, itemLines }: FastDocument, reader: Reader) {
  const list = isRecord(value) ? value['interactions'] : undefined
  if (Array.isArray(list)) for (const [index, item] of list.entries()) reader.add(item, itemLines[index] ?? 1)
  return { read: reader.end(value), problems: reader.problems }
}

type ReadCassette = Omit<Cassette, 'path' | 'text'>

/** Why this, if written, could not be read back; undefined if it could. */
export function problemOf(interaction: Record<string, unknown>): string | undefined {
  const { case: id, variant, run, attempt, hat, prompt_hash, request, response, recorded, ...more } = interaction
  const reader = new Reader('', undefined)
  const asked = { ...(isRecord(request) ? request : {}), hat, prompt_hash, run, attempt }
  const conversation = { ...(id !== '' && { case: id }), ...(variant !== undefined && { variant }) }
  const written = {
    request: { ...asked, ...conversation },
    response,
    ...(recorded !== undefined && { recorded }),
    ...more,
  }
  const facts = { format: CASSETTE_FORMAT, interactions: 1 }
  reader.add(written, 1)
  reader.end({ interactions: [written], metadata: facts })
  const [problem] = reader.problems
  return problem && `${problem.at.slice(2).join('.')} ${problem.message}`.trim()
}

function parsed(text: string, path: string): YamlCassette {
  const opened = openYaml(text)
  if ('problems' in opened) throw bad(path, opened.problems)
  return opened
}

const FILE_FIELDS = new Set(['interactions', 'metadata'])
const INTERACTION_FIELDS = new Set(['request', 'response', 'recorded'])
export const REQUEST_FIELDS = new Set([
  'hat',
  'case',
  'variant',
  'run',
  'attempt',
  'prompt_hash',
  'prompt_preview',
  'connector',
  'same_messages',
  'messages',
  'tools',
  'parameters',
])

export const RESPONSE_FIELDS = [
  'status',
  'headers',
  'output',
  'chunks',
  'chunk_ms',
  'error',
  'reported_error',
  'tool_calls',
  'calls_cut',
  'session_id',
  'tool_evidence',
  'finish_reason',
  'refusal',
  'reasoning',
  'unsigned',
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
  'files_left_out',
  'served_calls',
  'state',
  'session',
  'spans',
  'stderr',
  'output_encoding',
  'leaked',
  'skills',
  'events',
  'logs',
  'logs_dropped',
  'start_ms',
  'duration_ms',
]

const KNOWN_RESPONSE_FIELDS = new Set(RESPONSE_FIELDS)

/** Where it is: keys and positions, from the top. Without any: at the end of the file. */
type FieldPath = Array<string | number>

class Reader {
  readonly problems: Array<{ at: FieldPath; message: string }> = []
  readonly #path: string
  /** Undefined: there is nothing beside the file. */
  readonly #readBody: ReadBody | undefined
  /** What is being read: the interaction, counted from 0, and the part of it. */
  #isInList = true
  #index = 0
  #part: 'request' | 'response' | undefined
  readonly #requests = new LastRequests()
  readonly #interactions: WrittenInteraction[] = []

  constructor(path: string, readBody: ReadBody | undefined) {
    this.#path = path
    this.#readBody = readBody
  }

  /** The next interaction. */
  add(item: unknown, line: number): void {
    this.#part = undefined
    const interaction = this.#interaction(item, line)
    if (interaction) this.#interactions.push(interaction)
    this.#index++
  }

  /** Everything else, once every interaction was added. */
  end(value: unknown): ReadCassette | undefined {
    const inInteractions = this.problems.splice(0)
    this.#isInList = false
    if (!isRecord(value)) return this.#add(['interactions'], 'expected "interactions" and "metadata"')
    this.#known(value, FILE_FIELDS)
    const { interactions: list, metadata } = value
    if (!isRecord(metadata) || metadata['interactions'] === undefined)
      return this.#add([], 'cut short: "metadata" with its count of "interactions" is missing at the end')
    const format = metadata['format']
    if (format !== CASSETTE_FORMAT && format !== VARIANTS_CASSETTE_FORMAT) {
      this.problems.length = 0
      const found = JSON.stringify(format) ?? 'nothing'
      return this.#add(
        ['metadata', 'format'],
        `expected ${CASSETTE_FORMAT} or ${VARIANTS_CASSETTE_FORMAT}, found ${found}: written by another version of Viva`,
      )
    }
    if (!Array.isArray(list)) return this.#add(['interactions'], '"interactions" must be a list')
    this.problems.push(...inInteractions)
    const count = metadata['interactions']
    if (this.problems.length === 0 && count !== this.#index)
      return this.#add(
        ['metadata', 'interactions'],
        `says ${JSON.stringify(count)}, but there are ${this.#index}; correct the number if you removed or added some`,
      )
    const { agent, clock, timezone, backend } = metadata
    const matching = MATCHING_RULES.find((rule) => rule === metadata['matching']) ?? 'older'
    if (metadata['matching'] !== undefined && matching === 'older')
      return this.#add(
        ['metadata', 'matching'],
        `expected ${MATCHING_RULES.join(' or ')}, found ${JSON.stringify(metadata['matching'])}`,
      )
    return {
      interactions: this.#interactions,
      ...(typeof agent === 'string' && { agent }),
      ...(typeof clock === 'string' && { clock }),
      ...(typeof timezone === 'string' && { timezone }),
      ...(typeof backend === 'string' && { backend }),
      matching,
    }
  }

  #interaction(item: unknown, line: number): WrittenInteraction | undefined {
    if (!isRecord(item)) return this.#add(this.#current(), 'must have "request" and "response"')
    this.#known(item, INTERACTION_FIELDS)
    const { request, response, recorded } = item
    if (!isRecord(request)) return this.#wrong('request', 'is missing')
    if (!isRecord(response)) return this.#wrong('response', 'is missing')
    if (recorded !== undefined && !isTime(recorded))
      return this.#wrong('recorded', `must be a time, found ${JSON.stringify(recorded)}`)
    this.#part = 'request'
    const interaction = this.#asked(request, line)
    this.#part = 'response'
    const answered = this.#response(response)
    if (!interaction || !answered) return undefined
    interaction.response = answered
    if (recorded !== undefined) interaction.recorded = recorded
    return interaction
  }

  /** The response is still missing. */
  #asked(value: Record<string, unknown>, line: number): WrittenInteraction | undefined {
    const before = this.problems.length
    this.#known(value, REQUEST_FIELDS)
    const hat = this.#text(value, 'hat')
    const prompt_hash = this.#text(value, 'prompt_hash')
    if (prompt_hash !== '' && !/^sha256:[0-9a-f]{64}$/.test(prompt_hash))
      this.#wrong('prompt_hash', `expected sha256: and 64 hexadecimal digits, found ${JSON.stringify(prompt_hash)}`)
    const interaction: WrittenInteraction = {
      case: value['case'] === undefined ? '' : this.#text(value, 'case'),
      run: this.#count(value, 'run'),
      attempt: this.#count(value, 'attempt'),
      hat,
      prompt_hash,
      request: NOTHING_ASKED,
      response: NOTHING_ANSWERED,
      file: this.#path,
      number: this.#index + 1,
      line,
    }
    if (value['variant'] !== undefined) interaction.variant = this.#text(value, 'variant')
    const last = this.#requests.before(interaction)
    const request = this.#request(value, last, before)
    if (!request) return undefined
    interaction.request = request
    this.#requests.add(interaction)
    return interaction
  }

  /** `before`: how many problems there were before this interaction. */
  #request(
    value: Record<string, unknown>,
    last: RecordedRequest | undefined,
    before: number,
  ): RecordedRequest | undefined {
    const same = value['same_messages'] ?? 0
    const known = last?.messages.length ?? 0
    if (typeof same !== 'number' || !Number.isInteger(same) || same < 0 || same > known)
      this.#wrong(
        'same_messages',
        `expected a number from 0 to ${known}, the messages of the interaction before it in this conversation, found ${JSON.stringify(same)}`,
      )
    const own = value['messages'] ?? []
    if (!Array.isArray(own)) this.#wrong('messages', 'must be a list')
    else if (value['messages'] === undefined && value['same_messages'] === undefined)
      this.#wrong('messages', 'is missing')
    if (this.problems.length > before) return undefined
    const whole = this.#wholeList(own as unknown[], 'messages')
    const request: RecordedRequest = {
      messages: last && same !== 0 ? [...last.messages.slice(0, same as number), ...whole] : whole,
    }
    const connector = value['connector'] ?? last?.connector
    if (typeof connector === 'string') request.connector = connector
    // Null: the interaction before had some, this one has none.
    const tools = value['tools'] === undefined ? last?.tools : value['tools']
    if (Array.isArray(tools)) request.tools = tools as unknown[]
    const parameters = value['parameters'] === undefined ? last?.parameters : value['parameters']
    if (isRecord(parameters)) request.parameters = parameters
    return request
  }

  #response(value: Record<string, unknown>): RecordedResponse | undefined {
    const before = this.problems.length
    this.#known(value, KNOWN_RESPONSE_FIELDS)
    const { error, output, chunks, chunk_ms } = value
    if (output === undefined && chunks === undefined && error === undefined) this.#wrong('output', 'is missing')
    if (
      error !== undefined &&
      !(isRecord(error) && typeof error['code'] === 'string' && typeof error['message'] === 'string')
    )
      this.#wrong('error', 'must have a "code" and a "message"')
    if (chunk_ms !== undefined && !(Array.isArray(chunk_ms) && chunk_ms.every((ms) => typeof ms === 'number')))
      this.#wrong('chunk_ms', 'must be a list of numbers')
    const whole: Record<string, unknown> = { ...value }
    if (this.#readBody)
      for (const key in value) if (key !== 'error') whole[key] = this.#whole(value[key], this.#readBody, key)
    const { duration_ms = 0, tool_calls } = whole
    if (chunks !== undefined && !(Array.isArray(whole['chunks']) && whole['chunks'].every(isChunk)))
      this.#wrong('chunks', 'must be a list of strings, or of {base64: …}')
    if (typeof duration_ms !== 'number' || duration_ms < 0) this.#wrong('duration_ms', 'must be a number, 0 or more')
    if (tool_calls !== undefined && !(Array.isArray(tool_calls) && tool_calls.every(isCall)))
      this.#wrong('tool_calls', 'must be a list of calls, each with a "name"')
    if (this.problems.length > before) return undefined
    whole['duration_ms'] = duration_ms
    return whole as RecordedResponse
  }

  #wholeList(values: unknown[], key: string): unknown[] {
    const read = this.#readBody
    return read ? values.map((value, index) => this.#whole(value, read, key, index)) : values
  }

  #whole(value: unknown, read: ReadBody, ...steps: FieldPath): unknown {
    if (typeof value !== 'object') return value
    return putBackBodies(value, read, (problem) => this.#add([...this.#current(), ...steps], problem))
  }

  #text(value: Record<string, unknown>, key: string): string {
    const text = value[key]
    if (typeof text === 'string' && text !== '') return text
    this.#wrong(key, text === undefined ? 'is missing' : `must be text, found ${JSON.stringify(text)}`)
    return ''
  }

  #count(value: Record<string, unknown>, key: string): number {
    const count = value[key] ?? 1
    if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count
    this.#wrong(key, `must be a whole number from 1, found ${JSON.stringify(count)}`)
    return 1
  }

  #known(value: Record<string, unknown>, known: ReadonlySet<string>): void {
    for (const name in value) {
      if (known.has(name)) continue
      const near = suggest(name, [...known])
      this.#wrong(name, `unknown field${near === undefined ? '' : `; did you mean "${near}"?`}`)
    }
  }

  #wrong(key: string, message: string): undefined {
    return this.#add([...this.#current(), key], message)
  }

  #current(): FieldPath {
    if (!this.#isInList) return []
    return ['interactions', this.#index, ...(this.#part === undefined ? [] : [this.#part])]
  }

  #add(at: FieldPath, message: string): undefined {
    this.problems.push({ at, message })
    return undefined
  }
}

const NOTHING_ASKED: RecordedRequest = { messages: [] }
const NOTHING_ANSWERED: RecordedResponse = { duration_ms: 0 }

/** The last request of each hat in each conversation; most cases have only one. */
class LastRequests {
  readonly #byCase = new Map<string, { first: WrittenInteraction; all?: Map<string, RecordedRequest> }>()

  before(interaction: WrittenInteraction): RecordedRequest | undefined {
    return this.#all(interaction.case)?.get(keyOf(interaction, interaction.hat))
  }

  add(interaction: WrittenInteraction): void {
    const all = this.#all(interaction.case)
    if (all) all.set(keyOf(interaction, interaction.hat), interaction.request)
    else this.#byCase.set(interaction.case, { first: interaction })
  }

  #all(name: string): Map<string, RecordedRequest> | undefined {
    const found = this.#byCase.get(name)
    return found && (found.all ??= new Map([[keyOf(found.first, found.first.hat), found.first.request]]))
  }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

/** `interactions[0].request.hat`; nothing for the file as a whole. */
function fieldOf(at: FieldPath): { field?: string } {
  if (at.length === 0 || (at.length === 1 && at[0] === 'interactions')) return {}
  const field = at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return { field: field.slice(1) }
}

function isCall(call: unknown): boolean {
  return isRecord(call) && typeof call['name'] === 'string'
}

function isChunk(chunk: unknown): boolean {
  return typeof chunk === 'string' || (isRecord(chunk) && typeof chunk['base64'] === 'string')
}

function sizeOf(path: string): number | undefined {
  const info = statOf(path)
  // Reading a pipe would block forever.
  if (info && !info.isFile()) throw bad(path, [{ line: 1, message: 'this is not a regular file' }])
  return info?.size
}

const MOST = 5

function bad(path: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'BAD_CASSETTE',
    message: `${path} cannot be read as a recording${problems.length > MOST ? ` (${problems.length} problems)` : ''}`,
    hint: 'correct it, or name another file; a recording that is broken for good can be removed and made again',
    // The first ones say why; a file of another kind has one at every word.
    problems: problems.slice(0, MOST).map((problem) => ({ file: path, ...problem })),
  })
}
