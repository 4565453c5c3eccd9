// The texts of a case that can be changed: what the user says, and what the agent reads from elsewhere.
import { isRecord, readString } from '../../base/record.js'
import type { TestCase } from '../../model/case.js'
import { readAttachment, type AttachmentContext } from '../../pipeline/sources/attachment-source.js'

export interface Slot {
  /** `said` by the user; `given` to the agent by someone it has no reason to obey. */
  kind: 'said' | 'given'
  /** For people: "the input", "the result of search". */
  where: string
  text: string
  write(testCase: TestCase, text: string): TestCase
}

type Path = ReadonlyArray<string | number>

export async function slotsOf(testCase: TestCase, files: AttachmentContext): Promise<Slot[]> {
  return [
    ...saidIn(testCase),
    ...toolMessages(testCase),
    ...toolResults(testCase),
    ...(await attachments(testCase, files)),
  ]
}

function saidIn({ input, messages, turns }: TestCase): Slot[] {
  const list: Slot[] = messages
    ? said(messages, ['messages'], 'the input')
    : input === undefined
      ? []
      : said(input, ['input'], 'the input')
  for (const [index, turn] of (turns ?? []).entries())
    list.push(...said(turn.input, ['turns', index, 'input'], `turn ${index + 1}`))
  return list
}

/** A string, a message, a list of messages or of parts. */
function said(value: unknown, path: Path, where: string): Slot[] {
  if (typeof value === 'string') return [textSlot('said', value, path, where)]
  if (Array.isArray(value)) return value.flatMap((each: unknown, index) => said(each, [...path, index], where))
  if (!isRecord(value)) return []
  if (value['type'] === 'text' && typeof value['text'] === 'string')
    return said(value['text'], [...path, 'text'], where)
  const { role = 'user', content } = value
  return role === 'user' && content !== undefined ? said(content, [...path, 'content'], where) : []
}

function toolMessages({ messages, input }: TestCase): Slot[] {
  const [list, root] = messages ? [messages, 'messages'] : [Array.isArray(input) ? input : [], 'input']
  return list.flatMap(({ role, content }, index) => {
    if (role !== 'tool' || typeof content !== 'string') return []
    return given(content, [root, index, 'content'], `message ${index + 1}, a tool result`)
  })
}

function toolResults({ testing }: TestCase): Slot[] {
  const tools = testing?.tools
  if (!isRecord(tools)) return []
  return Object.entries(tools).flatMap(([name, result]) => {
    if (isRecord(result) && 'script' in result) return []
    return given(result, ['testing', 'tools', name], `the result of ${name}`)
  })
}

/** The longest text in it: instructions hide in prose, not in ids. */
function given(value: unknown, path: Path, where: string): Slot[] {
  const data = typeof value === 'string' ? jsonOf(value) : value
  const longest = proseIn(data).reduce<Prose | undefined>(
    (best, each) => (best && best.text.length >= each.text.length ? best : each),
    undefined,
  )
  if (!longest) return []
  if (typeof value !== 'string' || data === value)
    return [textSlot('given', longest.text, [...path, ...longest.path], where)]
  // JSON as text stays JSON.
  const write = (testCase: TestCase, text: string): TestCase =>
    withValue(testCase, path, JSON.stringify(withValue(data, longest.path, text)))
  return [{ kind: 'given', where, text: longest.text, write }]
}

interface Prose {
  path: Path
  text: string
}

function proseIn(value: unknown, path: Path = []): Prose[] {
  if (typeof value === 'string') return /\p{L}\s+\p{L}/u.test(value) ? [{ path, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    proseIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

async function attachments({ attachments: own = [], turns = [] }: TestCase, files: AttachmentContext): Promise<Slot[]> {
  const lists = [
    { list: own, path: ['attachments'] as Path },
    ...turns.map((turn, index) => ({ list: turn.attachments ?? [], path: ['turns', index, 'attachments'] as Path })),
  ]
  const found: Slot[] = []
  for (const { list, path } of lists)
    for (const [index, attachment] of list.entries()) {
      const slot = attachment.type === 'file' ? await attachmentSlot(attachment, [...path, index], files) : undefined
      if (slot) found.push(slot)
    }
  return found
}

/** Text that people wrote: a line more in a table or in data could break it. */
const PROSE = /^text\/(plain|markdown|html)\b/

async function attachmentSlot(
  attachment: Record<string, unknown>,
  path: Path,
  files: AttachmentContext,
): Promise<Slot | undefined> {
  const source = readString(attachment['source']) ?? readString(attachment['url'])
  if (source === undefined || /^https?:/i.test(source)) return undefined
  // What cannot be read is the case's error when it runs.
  const found = await readAttachment(source, files).catch(() => undefined)
  const type = found?.media_type ?? ''
  if (found?.data === undefined || !PROSE.test(type)) return undefined
  const name = readString(attachment['name']) ?? found.filename
  const { source: _source, url: _url, ...rest } = attachment
  const write = (testCase: TestCase, text: string): TestCase => {
    const url = `data:${type};base64,${Buffer.from(text).toString('base64')}`
    return withValue(testCase, path, { ...rest, source: url, ...(name !== undefined && { name }) })
  }
  const text = Buffer.from(found.data, 'base64').toString('utf8')
  return { kind: 'given', where: `the attachment${name === undefined ? '' : ` ${name}`}`, text, write }
}

function textSlot(kind: Slot['kind'], text: string, path: Path, where: string): Slot {
  return { kind, where, text, write: (testCase, changed) => withValue(testCase, path, changed) }
}

/** A copy with another value at the path. */
function withValue<T>(root: T, path: Path, value: unknown): T {
  const [key, ...rest] = path
  if (key === undefined) return value as T
  if (Array.isArray(root)) return root.with(Number(key), withValue(root[Number(key)], rest, value)) as T
  return { ...root, [key]: withValue((root as Record<string, unknown>)[key], rest, value) }
}
