// The fields of package.yao: which are read, how they are checked, and what a near miss was meant to be.
import { defined } from '../../../base/defined.js'
import { isPresent, isRecord, readString } from '../../../base/record.js'
import { nearMisses, suggest } from '../../../base/suggest.js'
import { FREE_KEY } from '../../../model/free-key.js'
import { describe } from './describe.js'
import { parsePrompts } from './prompts.js'
import { needsOf, type Need } from '../needs.js'
import { parseServerRef, type ServerRef } from '../tools/tool-server.js'
import type { Prompt } from '../types.js'
import { type FieldProblem } from '../../../base/field-name.js'

export interface PackageFields {
  name: string
  description?: string
  connector?: string
  options: Record<string, unknown>
  prompts: Prompt[]
  presets: Map<string, Prompt[]>
  disableGlobalPrompts: boolean
  promptsOnly?: boolean
  modes: string[]
  defaultMode?: string
  locales: Record<string, unknown>
  servers: ServerRef[]
  toolLoop: boolean
  maxTurn: number
}

const USED =
  'name description connector options prompts prompt_presets disable_global_prompts prompts_only modes default_mode locales mcp'
/** For catalogues and front ends: the agent answers the same without them. */
const FREE =
  'id type avatar tags sort placeholder public share readonly built_in mentionable automated connector_options locale ' +
  'version path capabilities dependencies created_at updated_at'
/** Fields that would make it a different agent, and that are not implemented. */
const REFUSED: Record<string, string> = {
  uses: 'nothing searches or reads images, audio or web pages for it',
  sandbox: 'nothing runs in a sandbox',
  computer: 'there is no computer to use',
  kb: 'nothing is looked up in a knowledge base',
  db: 'nothing is looked up in a database',
  search: 'nothing is searched for',
  workflow: 'there are no workflows',
  tools: 'tools come from servers: "mcp": {"servers": […]}',
  source: 'hooks are read from src/index.ts',
}
const KNOWN_KEYS = new Set(`${USED} ${FREE}`.split(' '))
const DEFAULT_MAX_TURN = 5

export interface ParsedPackage {
  fields: PackageFields
  found: FieldProblem[]
  unknown: string[]
  /** What it asks for and Viva does not have. */
  needs: Need[]
}

export function parsePackage(value: unknown): ParsedPackage {
  const found: FieldProblem[] = []
  const given = isRecord(value) ? value : {}
  const unknown = checkKeys(given, found)
  if (!isRecord(value))
    found.push({ path: [], message: `expected an object { "name": …, "connector": … }, found ${describe(value)}` })
  const mcp = parseMcp(given['mcp'], found)
  const name = text(given, 'name', found)
  if (isRecord(value) && name === undefined && given['name'] === undefined)
    found.push({ path: [], message: 'the agent has no name; expected "name": "…"' })
  const fields: PackageFields = {
    name: name ?? '',
    options: record(given, 'options', found),
    prompts: promptList(given['prompts'], ['prompts'], found),
    presets: parsePresets(given, found),
    disableGlobalPrompts: flag(given, 'disable_global_prompts', found) ?? false,
    modes: parseModes(given['modes'], found),
    locales: record(given, 'locales', found),
    ...mcp,
    ...defined({
      description: text(given, 'description', found),
      connector: text(given, 'connector', found),
      defaultMode: text(given, 'default_mode', found),
      promptsOnly: flag(given, 'prompts_only', found),
    }),
  }
  return { fields, found, unknown, needs: needsOf(given, Object.keys(REFUSED)) }
}

export function unmetNeed({ path }: Need): FieldProblem {
  const [field = ''] = path
  return {
    path,
    message: `"${path.join('.')}" is not supported (${REFUSED[field]}): without it the agent would behave differently`,
  }
}

/** A string or a list of strings. */
export function parseModes(value: unknown, found: FieldProblem[]): string[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.map(String)
  found.push({ path: ['modes'], message: `modes must be a string or a list of strings, found ${describe(value)}` })
  return []
}

/** `tool_loop` is on unless it is false; `max_turn` only counts if it is a positive number. */
export function parseMcp(
  value: unknown,
  found: FieldProblem[],
): Pick<PackageFields, 'servers' | 'toolLoop' | 'maxTurn'> {
  const mcp = isRecord(value) ? value : {}
  if (value !== undefined && value !== null && !isRecord(value))
    found.push({ path: ['mcp'], message: `mcp must be an object {servers, options}, found ${describe(value)}` })
  const options = record(mcp, 'options', found, ['mcp', 'options'])
  for (const { key, suggestion } of nearMisses(mcp, ['servers', 'options']))
    found.push({ path: ['mcp', key], message: `unknown key "${key}"`, suggestion })
  for (const { key, suggestion } of nearMisses(options, ['tool_loop', 'max_turn']))
    found.push({ path: ['mcp', 'options', key], message: `unknown key "${key}"`, suggestion })
  const servers = mcp['servers'] ?? []
  if (!Array.isArray(servers))
    found.push({ path: ['mcp', 'servers'], message: `mcp.servers must be a list, found ${describe(servers)}` })
  const { tool_loop: loop, max_turn: turn } = options
  if (isPresent(loop) && typeof loop !== 'boolean')
    found.push({
      path: ['mcp', 'options', 'tool_loop'],
      message: `tool_loop must be true or false, found ${describe(loop)}`,
    })
  if (isPresent(turn) && typeof turn !== 'number')
    found.push({ path: ['mcp', 'options', 'max_turn'], message: `max_turn must be a number, found ${describe(turn)}` })
  return {
    servers: (Array.isArray(servers) ? servers : []).flatMap((item: unknown, index) => {
      const ref = parseServerRef(item)
      if (ref) return ref
      const message = `expected a server id or {server_id, tools}, found ${describe(item)}`
      found.push({ path: ['mcp', 'servers', index], message })
      return []
    }),
    toolLoop: loop !== false,
    maxTurn: typeof turn === 'number' && turn >= 1 ? Math.floor(turn) : DEFAULT_MAX_TURN,
  }
}

/** Unknown keys are kept and returned, but a near miss of a known one is an error. */
function checkKeys(value: Record<string, unknown>, found: FieldProblem[]): string[] {
  const unknown: string[] = []
  for (const key of Object.keys(value)) {
    if (KNOWN_KEYS.has(key) || FREE_KEY.test(key)) continue
    const near = Object.hasOwn(REFUSED, key) ? undefined : suggest(key, USED.split(' '))
    if (near) found.push({ path: [key], message: `unknown key "${key}"`, suggestion: near })
    else if (!Object.hasOwn(REFUSED, key)) unknown.push(key)
  }
  return unknown
}

function parsePresets(given: Record<string, unknown>, found: FieldProblem[]): Map<string, Prompt[]> {
  const presets = record(given, 'prompt_presets', found)
  return new Map(
    Object.entries(presets).map(([name, list]) => [name, promptList(list, ['prompt_presets', name], found)]),
  )
}

function promptList(value: unknown, path: (string | number)[], found: FieldProblem[]): Prompt[] {
  const parsed = parsePrompts(value)
  found.push(...parsed.found.map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
  return parsed.prompts
}

function text(given: Record<string, unknown>, name: string, found: FieldProblem[]): string | undefined {
  const value = given[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.trim() !== '') return value
  const shown = readString(value) === undefined ? describe(value) : 'an empty string'
  found.push({ path: [name], message: `${name} must be a string, found ${shown}` })
  return undefined
}

function flag(given: Record<string, unknown>, name: string, found: FieldProblem[]): boolean | undefined {
  const value = given[name]
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined
  found.push({ path: [name], message: `${name} must be true or false, found ${describe(value)}` })
  return undefined
}

function record(
  given: Record<string, unknown>,
  name: string,
  found: FieldProblem[],
  path: string[] = [name],
): Record<string, unknown> {
  const value = given[name]
  if (value === undefined || value === null) return {}
  if (isRecord(value)) return value
  found.push({ path, message: `${name} must be an object, found ${describe(value)}` })
  return {}
}
