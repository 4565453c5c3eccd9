// The one reader of session files: ours, and those that Ralph records.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { SessionKind, SessionRecord } from '../../model/session.js'

export interface Session {
  records: SessionRecord[]
  /** The last line is incomplete: its writer was killed. */
  torn: boolean
}

/** A corrupt line is left out of the records. */
export interface ParsedSession extends Session {
  problem?: { line: number; message: string }
}

/** Throws a UserError that names the first corrupt line. */
export async function readSession(path: string): Promise<Session> {
  const { problem, ...session } = parseSession(await contentOf(path))
  if (problem) throw corrupt(path, problem)
  return session
}

export function parseSession(text: string): ParsedSession {
  const session: ParsedSession = { records: [], torn: false }
  const lines = text.split('\n')
  const last = lines.length - 1
  // Searched once: sessions have many lines, and hardly ever a NUL.
  const hasNul = text.includes('\0')
  for (let index = 0; index <= last; index += 1) {
    const line = lines[index] ?? ''
    if (line === '' || line.trim() === '') continue
    const record = hasNul && line.includes('\0') ? NUL : parseLine(line)
    if (typeof record !== 'string') session.records.push(record)
    else if (index === last && !line.includes('\0')) session.torn = true
    else session.problem ??= { line: index + 1, message: record }
  }
  return session
}

async function contentOf(path: string): Promise<string> {
  try {
    // What its writer left there may be a link or a pipe: neither is followed or waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (!(await file.stat()).isFile()) throw new Error('it is not a regular file')
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new UserError({
      code: 'NO_SESSION',
      message: missing ? `no such session file: ${path}` : `cannot read ${path}: ${messageOf(cause)}`,
      hint: 'run the orchestrator first: it records session.jsonl',
      cause,
    })
  }
}

const NUL = 'NUL bytes: the file was cut by a power loss'

/** What is wrong with the line, or what it says. */
function parseLine(line: string): SessionRecord | string {
  let value: unknown
  try {
    value = JSON.parse(line) as unknown
  } catch (error) {
    return `not JSON: ${messageOf(error)}`
  }
  if (!isRecord(value)) return `expected an object, found ${show(value, 40)}`
  const { ts, event, run_id } = value
  if (typeof ts !== 'number') return `ts must be a number, found ${show(ts, 40)}`
  if (typeof event !== 'string') return `event must be text, found ${show(event, 40)}`
  const data = flatData(event, value['data'])
  const problem = problemOf(event, data)
  if (problem !== undefined) return problem
  return typeof run_id === 'string' ? { ts, event, data, run_id } : { ts, event, data }
}

/** Ralph's recorder wraps `ux.*` twice, its player expects them flat. */
function flatData(event: string, data: unknown): unknown {
  const isNested = event.startsWith('ux.') && isRecord(data) && data['event'] === event && isRecord(data['data'])
  return isNested ? data['data'] : data
}

type FieldKind = 'text' | 'count' | 'number' | 'flag'

/** What readers rely on; everything else is accepted as is. `?`: may be absent or null. */
const FIELDS: Partial<Record<SessionKind, Record<string, FieldKind | `${FieldKind}?`>>> = {
  '_meta.iteration': { n: 'count', hat: 'text', elapsed_ms: 'number?' },
  'bus.publish': { topic: 'text', payload: 'text?', source: 'text?', target: 'text?' },
  'ux.terminal.write': { bytes: 'text', stdout: 'flag' },
  'backend.call': { hat: 'text', exit_code: 'number?', tokens: 'number?', cost_dollars: 'number?' },
  '_meta.termination': { reason: 'text', iterations: 'count?', elapsed_secs: 'number?' },
}

const CHECKS: Record<FieldKind, { words: string; fits(value: unknown): boolean }> = {
  text: { words: 'text', fits: (value) => typeof value === 'string' },
  count: { words: 'an integer', fits: (value) => Number.isInteger(value) },
  number: { words: 'a number', fits: (value) => typeof value === 'number' },
  flag: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
}

interface FieldCheck {
  name: string
  isOptional: boolean
  words: string
  fits(value: unknown): boolean
}

/** By kind, ready to iterate. */
const FIELD_CHECKS: ReadonlyMap<string, readonly FieldCheck[]> = new Map(
  Object.entries(FIELDS).map(([event, fields]) => [
    event,
    Object.entries(fields).map(([name, kind]) => ({
      name,
      isOptional: kind.endsWith('?'),
      ...CHECKS[kind.replace('?', '') as FieldKind],
    })),
  ]),
)

function problemOf(event: string, data: unknown): string | undefined {
  const checks = FIELD_CHECKS.get(event)
  if (!checks) return undefined
  if (!isRecord(data)) return `data of ${event} must be an object, found ${show(data, 40)}`
  for (const { name, isOptional, words, fits } of checks) {
    const value = data[name]
    if (isOptional && (value === undefined || value === null)) continue
    if (!fits(value)) return `${name} of ${event} must be ${words}, found ${show(value, 40)}`
  }
  return undefined
}

function corrupt(path: string, { line, message }: { line: number; message: string }): UserError {
  return new UserError({
    code: 'BAD_SESSION',
    message: `${path}:${line}: ${message}`,
    hint: 'the session cannot be trusted: run again',
    problems: [{ file: path, line, message }],
  })
}
