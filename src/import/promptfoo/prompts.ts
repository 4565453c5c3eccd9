// The prompts of a configuration: texts, conversations, files of them. Programs that generate prompts are left behind.
import { extname } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { isPresent, isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { CsvParser } from '../../pipeline/sources/csv.js'
import type { Origin } from '../imported.js'
import type { Located, SourceFolder, Steps } from '../read-source.js'
import { unknownKeys } from '../unknown-keys.js'
import { PROMPT_KEYS } from './keys.js'

export interface PromptMessage {
  role: string
  content: string
}

export interface SourcePrompt extends Origin {
  label: string
  /** How providers and tests name it. */
  id?: string
  /** One text, or a conversation; each content is a template. */
  messages: PromptMessage[]
  /** The conversation is only JSON once it is rendered. */
  whole?: string
}

export type Lose = (reason: string, origin: Origin) => void

const FILE = /\.(?:txt|md|markdown|j2|json|jsonl|ya?ml|csv|py|[cm]?[jt]s|sh|exe|bat|ps1|rb|pl|go)(?::\w+)?$/i

export async function readPrompts(config: Located, folder: SourceFolder, lose: Lose): Promise<SourcePrompt[]> {
  const value = isRecord(config.value) ? config.value['prompts'] : undefined
  const at = (steps: Steps): Origin => ({ file: config.file, line: config.lineOf(['prompts', ...steps]) })
  const found: SourcePrompt[] = []
  const read = async (entry: unknown, origin: Origin, label?: string): Promise<void> => {
    try {
      found.push(...(await promptsOf(entry, origin, folder, label)))
    } catch (error) {
      lose(`a prompt: ${messageOf(error)}`, origin)
    }
  }
  if (typeof value === 'string') await read(value, at([]))
  else if (Array.isArray(value)) for (const [index, entry] of value.entries()) await read(entry, at([index]))
  else if (isRecord(value))
    for (const [path, label] of Object.entries(value)) await read(path, at([path]), String(label))
  else lose('the configuration has no prompts', at([]))
  return found
}

async function promptsOf(
  entry: unknown,
  origin: Origin,
  folder: SourceFolder,
  given?: string,
): Promise<SourcePrompt[]> {
  if (isRecord(entry)) {
    const { id, raw, label, config } = entry
    const [unknown] = unknownKeys(entry, PROMPT_KEYS)
    if (unknown) throw new Error(unknown.reason)
    if (isPresent(config)) throw new Error('a config of its own, which goes to the provider')
    const name = typeof label === 'string' ? label : given
    if (entry['function'] !== undefined) throw new Error('it is made by a function')
    const source = typeof raw === 'string' ? raw : id
    if (typeof source !== 'string') throw new Error('expected a text or a file')
    const found = await promptsOf(source, origin, folder, name)
    const own = typeof id === 'string' && raw !== undefined ? id : undefined
    return own === undefined ? found : found.map((prompt) => ({ ...prompt, id: own }))
  }
  if (typeof entry !== 'string') throw new Error('expected a text or a file')
  if (entry.startsWith('exec:')) throw new Error('it is made by a program, which an import does not run')
  const path = entry.replace(/^file:\/\//, '')
  const isReference = entry.startsWith('file://') || (!/\s/.test(entry) && FILE.test(entry)) || folder.names(entry)
  if (!isReference) return [fromText(entry, origin, given ?? firstLine(entry))]
  const files = folder.matching(path.replace(/:\w+$/, (name) => (folder.has(path) ? name : '')))
  if (files.length === 0 && folder.names(path)) throw new Error(`${path} is a folder of prompts: name its files`)
  if (files.length === 0 && !entry.startsWith('file://')) return [fromText(entry, origin, given ?? entry)]
  if (files.length === 0) throw new Error(`there is no file ${path} inside the folder`)
  const found: SourcePrompt[] = []
  for (const file of files) found.push(...fromFile(file, origin, folder, given))
  return found
}

function fromFile(file: string, origin: Origin, folder: SourceFolder, given?: string): SourcePrompt[] {
  const label = given ?? file
  const ending = extname(file).toLowerCase()
  const { text } = folder.text(file)
  const named = (texts: string[]): SourcePrompt[] =>
    texts.map((one, index) => fromText(one, origin, texts.length === 1 ? label : `${label} ${index + 1}`))
  switch (ending) {
    case '.txt':
      return named(
        text
          .split(/^---$/m)
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      )
    case '.md':
    case '.markdown':
    case '.j2':
      return named([text])
    case '.json':
      return named([text])
    case '.jsonl':
      return named(text.split(/\r?\n/).filter((line) => line.trim() !== ''))
    case '.yaml':
    case '.yml':
      return named([JSON.stringify(parseYaml(text, { maxAliasCount: 100 }))])
    case '.csv':
      return fromTable(text, origin, label)
    default:
      throw new Error(`${file} is a program: what it makes cannot be carried over without running it`)
  }
}

function fromTable(text: string, origin: Origin, label: string): SourcePrompt[] {
  const parser = new CsvParser(',')
  const [header, ...rows] = [...parser.feed(text), ...parser.end()]
  const names = header?.cells.map((cell) => cell.text.trim()) ?? []
  const at = names.indexOf('prompt')
  const labels = names.indexOf('label')
  if (!header || (at < 0 && names.length > 1)) throw new Error('its table has no column "prompt"')
  // One column needs no header line: then the first line is a prompt as well.
  return (at < 0 ? [header, ...rows] : rows).map((row, index) =>
    fromText(row.cells[Math.max(0, at)]?.text ?? '', origin, row.cells[labels]?.text ?? `${label} ${index + 1}`),
  )
}

function fromText(text: string, origin: Origin, label: string): SourcePrompt {
  const prompt = { ...origin, label }
  const trimmed = text.trim()
  if (/^(?:portkey|langfuse|helicone):\/\//.test(trimmed)) throw new Error('it is kept by a service')
  const chat = conversationOf(trimmed)
  if (chat) return { ...prompt, messages: chat }
  // Templates may turn it into JSON.
  if (/^[[{]/.test(trimmed) && /\{[{%]/.test(trimmed) && /"?role"?\s*:/.test(trimmed))
    return { ...prompt, messages: [], whole: text }
  return { ...prompt, messages: [{ role: 'user', content: text }] }
}

/** Undefined if it is plain text. Throws an Error if it is a conversation that cannot be carried over. */
export function conversationOf(text: string): PromptMessage[] | undefined {
  const value = parsed(text)
  const list: unknown = isRecord(value) && Array.isArray(value['messages']) ? value['messages'] : value
  if (!Array.isArray(list) || list.length === 0 || !list.every((item) => isRecord(item) && 'role' in item))
    return undefined
  return (list as Array<Record<string, unknown>>).map((message) => {
    const { role, content } = message
    const others = Object.keys(message).filter((key) => key !== 'role' && key !== 'content')
    if (others.length > 0) throw new Error(`a message with ${others.join(', ')}`)
    const body = typeof content === 'string' ? content : textParts(content)
    if (body === undefined) throw new Error('a message whose content is not text')
    return { role: String(role), content: body }
  })
}

function textParts(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part: unknown) => (isRecord(part) && part['type'] === 'text' ? part['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

function parsed(text: string): unknown {
  try {
    if (/^[[{]/.test(text)) return JSON.parse(text) as unknown
    return text.startsWith('- role:') ? (parseYaml(text, { maxAliasCount: 0 }) as unknown) : undefined
  } catch {
    return undefined
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > 60 ? line.slice(0, 60) : line
}
