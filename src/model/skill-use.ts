// Which skills an agent used, read from its own report of what it did. Pure; for replies, assertions and coverage alike.
import type { InferOutput } from 'valibot'
import { isRecord, readList, readString } from '../base/record.js'
import { asText } from '../base/text.js'
import type { ToolCall } from './message.js'
import type { skills } from './result-schema.js'

/** `skills` of a reply and of a result. */
export interface SkillUse extends InferOutput<typeof skills> {}

export type SkillCalls = Pick<SkillUse, 'invoked' | 'unclear'>

/** A skill counts as used once it was loaded by a tool for that, or once its SKILL.md was read. */
export function skillsIn(calls: readonly ToolCall[]): SkillCalls {
  const invoked = new Set<string>()
  const unclear = new Set<string>()
  for (const call of calls) {
    if (call.claimed || call.no_such_tool) continue
    const { used, named } = readCall(call)
    for (const name of used) invoked.add(name)
    for (const name of named) unclear.add(name)
  }
  const open = [...unclear].filter((name) => !invoked.has(name))
  return { invoked: [...invoked], ...(open.length > 0 && { unclear: open }) }
}

/** Under the prefix of a plugin or a server: most likely a copy of it. */
export function isNamesake(name: string, skill: string): boolean {
  return name.endsWith(`:${skill}`) || name.endsWith(`/${skill}`)
}

/** Of several turns. What one turn left open may be settled by another. */
export function addSkillUse(before: SkillUse | undefined, next: SkillUse | undefined): SkillUse | undefined {
  if (!before || !next) return before ?? next
  const invoked = [...new Set([...before.invoked, ...next.invoked])]
  const unclear = [...new Set([...(before.unclear ?? []), ...(next.unclear ?? [])])].filter(
    (name) => !invoked.includes(name),
  )
  const offered = next.offered ?? before.offered
  const tested = next.tested ?? before.tested
  return {
    ...(tested !== undefined && { tested }),
    ...(offered && { offered }),
    invoked,
    ...(unclear.length > 0 && { unclear }),
  }
}

interface Read {
  used: string[]
  named: string[]
}

const NOTHING: Read = { used: [], named: [] }

function readCall(call: ToolCall): Read {
  const args = call.args_error === undefined && isRecord(call.args) ? call.args : {}
  const loaded = loadedBy(call, args)
  if (loaded !== undefined) return hasFailed(call) ? { used: [], named: [loaded] } : { used: [loaded], named: [] }
  const command = commandOf(call, args)
  if (command !== undefined) return readCommand(command, call)
  if (isSearching(call)) return readCommand(placesOf(args), call)
  if (isReading(call)) return readFile(call, args)
  // What another tool shows of a SKILL.md was read as well; that it was given a path, to write to it for example, is nothing.
  return { used: readCommand(placesOf(args), call).used, named: [] }
}

/**
 * Claude's `Skill`, OpenCode's `skill`, Gemini's `activate_skill`, `load_skill` of SDKs; over ACP, Gemini gives the tool only
 * as part of an id.
 */
function loadedBy({ name, id = '', title = '' }: ToolCall, args: Record<string, unknown>): string | undefined {
  const isLoading = LOADING.test(name) || id.startsWith('activate_skill__')
  if (!isLoading) return undefined
  const given = ['skill', 'name', 'skill_name', 'skillName', 'command'].map((key) => readString(args[key]))
  const named = given.find((value) => value !== undefined) ?? /^"([^"]+)"/.exec(title)?.[1]
  return named?.trim().replace(/^[/$]/, '').split(/\s/)[0]
}

const LOADING = /^(?:(?:activate|load|use|invoke|read|run|get)[_-]?)?skill$/i

function commandOf({ kind, title }: ToolCall, args: Record<string, unknown>): string | undefined {
  const given = args['command'] ?? args['cmd'] ?? args['script']
  if (typeof given === 'string') return given
  if (Array.isArray(given)) return given.map(asText).join(' ')
  return kind === 'execute' ? title : undefined
}

/** What a command printed shows what it read; that it names a file does not. */
function readCommand(command: string, call: ToolCall): Read {
  const named = namesIn(command)
  if (named.length === 0 && !/\bSKILL\.md\b|\bskills\b/i.test(command)) return NOTHING
  return { used: frontNames(call.error ?? asText(call.result ?? '')), named }
}

/** The folder of each SKILL.md, and each folder below one called skills. */
function namesIn(command: string): string[] {
  const files = command.matchAll(/([^\\/\s"'`=]+)[\\/]SKILL\.md\b/g)
  const folders = command.matchAll(/\bskills[\\/]([^\\/\s"'`*?;|&)]+)/g)
  return [...files, ...folders].flatMap(([, name]) => (name === undefined || /[*?]|^\.{1,2}$/.test(name) ? [] : name))
}

/** The names in front matter that text holds, also with the numbers of its lines. */
function frontNames(printed: string): string[] {
  const text = printed.replace(/^(?:[^\n]*\bSKILL\.md:)?(?:[ \t]*\d+[:\t→])?\uFEFF?/gm, '')
  const fronts = text.matchAll(/^---[ \t]*\r?\n((?:(?!---).*\r?\n){1,60}?)---[ \t]*\r?$/gm)
  return [...fronts].flatMap(([, front = '']) => /^name:[ \t]*["']?([\w.:-]+)/m.exec(front)?.[1] ?? [])
}

/** It may print what it finds, as a command does. */
function isSearching({ name, kind }: ToolCall): boolean {
  return kind === 'search' || (kind === undefined && /^(?:grep|glob|rg|search|find)(?:$|[_-]|files?)/i.test(name))
}

/** Where it searches; what it searches for is not read by that. */
function placesOf({ pattern: _pattern, query: _query, ...rest }: Record<string, unknown>): string {
  return textsOf(rest).join(' ')
}

function textsOf(args: Record<string, unknown>): string[] {
  return Object.values(args)
    .flat()
    .filter((value) => typeof value === 'string')
}

function isReading({ name, kind }: ToolCall): boolean {
  return kind === 'read' || (kind === undefined && /^(?:read|view|cat|open)(?:$|[_-]|file)|[_-]read[_-]?/i.test(name))
}

/** One below a skill's folder that is not its SKILL.md shows neither use nor abstinence. */
function readFile(call: ToolCall, args: Record<string, unknown>): Read {
  const located = readList(call.locations).map((at) => (isRecord(at) ? at['path'] : at))
  const places = [...textsOf(args), ...located.filter((path) => typeof path === 'string')]
  const names = places.flatMap((path) => /([^\\/]+)[\\/]SKILL\.md$/.exec(path.trim())?.[1] ?? [])
  if (hasFailed(call)) return { used: [], named: names }
  const { used, named } = readCommand(places.join(' '), call)
  return { used: [...names, ...used], named }
}

/** Some agents hand on what an MCP server answered as it is. */
function hasFailed({ error, result }: ToolCall): boolean {
  return error !== undefined || (isRecord(result) && result['isError'] === true)
}
