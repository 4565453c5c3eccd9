// `ralph.yml` / `viva.yml`, or the same as an object → the configuration of a run. Every mistake is named with its field.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defined } from '../../base/defined.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord, isStrings } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { show } from '../../base/text.js'
import { UserError, type Problem } from '../../errors.js'
import { isFile } from '../../files/stat.js'
import { parseStrictYaml } from '../../files/strict-yaml.js'
import { pathBelow } from '../../files/inside.js'
import { BUILT_IN_HATS, type BackendChoice, type Hat } from '../hats.js'
import { SCRATCHPAD } from '../scratchpad.js'
import { DEFAULT_MAX_FAILURES, DEFAULT_PROMISE, DEFAULT_START, type LoopConfig } from './config.js'

/** Where to look for a configuration if none is named. */
export const CONFIG_FILES = ['viva.yml', 'viva.yaml', 'ralph.yml', 'ralph.yaml'] as const

/** Undefined if the folder has none. */
export function findLoopConfig(folder: string): string | undefined {
  return CONFIG_FILES.map((name) => join(folder, name)).find((path) => isFile(path))
}

export function readLoopConfig(path: string, warn: (text: string) => void): LoopConfig {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UserError({
      code: 'NO_CONFIG',
      message: `cannot read the configuration ${path}: ${messageOf(cause)}`,
      hint: `give a file such as ${CONFIG_FILES[0]}`,
      cause,
    })
  }
  const { parts } = parseStrictYaml(text)
  const problems = parts.flatMap((part) => ('problems' in part ? part.problems : []))
  if (problems.length > 0) throw badConfig(path, problems)
  if (parts.length > 1) throw badConfig(path, [{ line: 1, message: `expected one document, found ${parts.length}` }])
  const [document] = parts
  const value: unknown = document && !('problems' in document) ? document.toJSON() : {}
  return parseLoopConfig(value ?? {}, path, warn)
}

/** `where` names the configuration in errors. Throws a UserError with every mistake. */
export function parseLoopConfig(value: unknown, where: string, warn: (text: string) => void): LoopConfig {
  const reader = new ConfigReader(where, warn)
  const config = reader.config(value)
  if (reader.problems.length > 0) throw badConfig(where, reader.problems)
  return config
}

const LOOP_KEYS = [
  'prompt',
  'prompt_file',
  'completion_promise',
  'starting_event',
  'required_events',
  'max_iterations',
  'max_runtime_seconds',
  'max_runtime_secs',
  'max_cost_usd',
  'max_cost',
  'max_tokens',
  'max_consecutive_failures',
]
const TOP_KEYS = ['cli', 'core', 'event_loop', 'hats', ...LOOP_KEYS]
const HAT_KEYS = [
  'name',
  'description',
  'triggers',
  'publishes',
  'instructions',
  'backend',
  'default_publishes',
  'max_activations',
]
const CLI_KEYS = ['backend', 'command', 'args', 'prompt_mode', 'prompt_flag', 'agent']
const BACKEND_KEYS = ['type', ...CLI_KEYS.slice(1)]
const CORE_KEYS = ['scratchpad', 'guardrails']

const PROMPT_MODES = ['arg', 'stdin'] as const

type Fields = Record<string, unknown>

class ConfigReader {
  readonly problems: Problem[] = []
  readonly #where: string
  readonly #warn: (text: string) => void

  constructor(where: string, warn: (text: string) => void) {
    this.#where = where
    this.#warn = warn
  }

  config(value: unknown): LoopConfig {
    const top = this.#fields(value, '', TOP_KEYS)
    const core = this.#fields(top['core'] ?? {}, 'core', CORE_KEYS)
    // Ralph keeps them in `event_loop`; flat is allowed, as a person would write it.
    const nested = this.#fields(top['event_loop'] ?? {}, 'event_loop', LOOP_KEYS)
    const loop: Fields = { ...top, ...nested }
    const place = (key: string): string => (nested[key] === undefined ? key : `event_loop.${key}`)
    const text = (key: string): string | undefined => this.#text(loop, key, place(key))
    const count = (key: string): number | undefined => this.#number(loop, key, place(key), true)
    return {
      hats: this.#hats(top['hats']),
      start_event: text('starting_event') ?? DEFAULT_START,
      promise: text('completion_promise') ?? DEFAULT_PROMISE,
      required_events: this.#texts(loop, 'required_events', place('required_events')) ?? [],
      max_failures: count('max_consecutive_failures') ?? DEFAULT_MAX_FAILURES,
      scratchpad: this.#scratchpad(core),
      guardrails: this.#texts(core, 'guardrails', 'core.guardrails') ?? [],
      raw: isRecord(value) ? value : {},
      ...defined({
        backend: this.#cli(top['cli']),
        prompt: text('prompt'),
        prompt_file: text('prompt_file'),
        max_iterations: count('max_iterations'),
        max_runtime_secs:
          this.#number(loop, 'max_runtime_secs', place('max_runtime_secs')) ??
          this.#number(loop, 'max_runtime_seconds', place('max_runtime_seconds')),
        max_cost:
          this.#number(loop, 'max_cost', place('max_cost')) ??
          this.#number(loop, 'max_cost_usd', place('max_cost_usd')),
        max_tokens: count('max_tokens'),
      }),
    }
  }

  /** By id, or a list of hats with names. */
  #hats(value: unknown): Hat[] {
    if (value === undefined || value === null) return [...BUILT_IN_HATS]
    const entries: Array<[string, unknown, string]> = Array.isArray(value)
      ? value.map((item: unknown, index) => [
          isRecord(item) && typeof item['name'] === 'string' ? item['name'] : '',
          item,
          `hats[${index}]`,
        ])
      : Object.entries(this.#fields(value, 'hats')).map(([id, item]) => [id, item, `hats.${id}`])
    const hats = entries.map(([id, item, field]) => this.#hat(id, item, field))
    if (hats.length === 0) this.#add('hats', 'has no hats: name one, or leave the key out')
    const twice = hats.find(({ id }, index) => hats.findIndex((other) => other.id === id) !== index)
    if (twice) this.#add('hats', `two hats are called "${twice.id}"`)
    return hats
  }

  #hat(id: string, value: unknown, field: string): Hat {
    const given = this.#fields(value, field, HAT_KEYS)
    if (!/^[A-Za-z0-9][\w.-]*$/.test(id)) this.#add(field, `"${id}" is not a name: use letters, digits, "-" and "_"`)
    const triggers = this.#texts(given, 'triggers', `${field}.triggers`) ?? []
    if (triggers.length === 0) this.#add(`${field}.triggers`, 'is missing: nothing would ever wake the hat')
    return {
      id,
      name: this.#text(given, 'name', `${field}.name`) ?? id,
      description: this.#text(given, 'description', `${field}.description`) ?? '',
      triggers,
      publishes: this.#texts(given, 'publishes', `${field}.publishes`) ?? [],
      instructions: this.#text(given, 'instructions', `${field}.instructions`) ?? '',
      ...defined({
        backend: this.#choice(given['backend'], `${field}.backend`),
        default_publishes: this.#text(given, 'default_publishes', `${field}.default_publishes`),
        max_activations: this.#number(given, 'max_activations', `${field}.max_activations`, true),
      }),
    }
  }

  #cli(value: unknown): BackendChoice | undefined {
    if (value === undefined || value === null) return undefined
    const { backend, ...rest } = this.#fields(value, 'cli', CLI_KEYS)
    if (backend === undefined) {
      if (Object.keys(rest).length > 0) this.#add('cli.backend', 'is missing')
      return undefined
    }
    if (isRecord(backend)) return this.#choice(backend, 'cli.backend')
    return this.#choice({ type: backend, ...rest }, 'cli')
  }

  #choice(value: unknown, field: string): BackendChoice | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') return { type: value }
    const given = this.#fields(value, field, BACKEND_KEYS)
    const type = this.#text(given, 'type', `${field}.type`)
    if (type === undefined) this.#add(field, 'expected the name of a backend, or {type: …}')
    const mode = this.#text(given, 'prompt_mode', `${field}.prompt_mode`)
    const prompt_mode = PROMPT_MODES.find((known) => known === mode)
    if (mode !== undefined && prompt_mode === undefined)
      this.#add(`${field}.prompt_mode`, `expected ${PROMPT_MODES.join(' or ')}, found ${show(mode, 40)}`)
    const agent = this.#text(given, 'agent', `${field}.agent`)
    if (agent !== undefined && type !== undefined && type !== 'kiro')
      this.#add(`${field}.agent`, `only the backend kiro knows it, found ${show(type, 40)}`)
    return {
      type: type ?? '',
      ...defined({
        agent,
        command: this.#text(given, 'command', `${field}.command`),
        args: this.#texts(given, 'args', `${field}.args`),
        prompt_mode,
        prompt_flag: this.#text(given, 'prompt_flag', `${field}.prompt_flag`),
      }),
    }
  }

  #scratchpad(core: Fields): string {
    const path = this.#text(core, 'scratchpad', 'core.scratchpad') ?? SCRATCHPAD
    const below = pathBelow('/w', join('/w', path))
    if (path.startsWith('/') || below === undefined || below === '' || path.includes('\0'))
      this.#add('core.scratchpad', `must be inside the workspace, found ${show(path, 80)}`)
    return relative('/w', join('/w', path))
  }

  /** Without `keys` any key is allowed. */
  #fields(value: unknown, field: string, keys?: readonly string[]): Fields {
    if (!isRecord(value)) {
      this.#add(field, `expected an object, found ${show(value, 40)}`)
      return {}
    }
    for (const key of keys ? Object.keys(value) : []) if (!keys?.includes(key)) this.#unknown(key, field, keys ?? [])
    return value
  }

  /** A near miss is a mistake; other keys are for another program. */
  #unknown(key: string, field: string, keys: readonly string[]): void {
    const path = field === '' ? key : `${field}.${key}`
    const suggestion = suggest(key, [...keys])
    if (suggestion === undefined) this.#warn(`${this.#where}: ${path} is unknown and has no effect`)
    else this.problems.push({ file: this.#where, field: path, message: 'unknown key', suggestion })
  }

  #text(fields: Fields, key: string, field: string): string | undefined {
    const value = fields[key]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string' && value.trim() !== '') return value
    return this.#add(field, `expected text, found ${show(value, 40)}`)
  }

  #texts(fields: Fields, key: string, field: string): string[] | undefined {
    const value = fields[key]
    if (value === undefined || value === null) return undefined
    if (isStrings(value)) return value
    return this.#add(field, `expected a list of texts, found ${show(value, 40)}`)
  }

  #number(fields: Fields, key: string, field: string, whole = false): number | undefined {
    const value = fields[key]
    if (value === undefined || value === null) return undefined
    const fits = typeof value === 'number' && Number.isFinite(value) && value > 0 && (!whole || Number.isInteger(value))
    if (fits) return value
    return this.#add(field, `expected a ${whole ? 'whole ' : ''}number above 0, found ${show(value, 40)}`)
  }

  #add(field: string, message: string): undefined {
    this.problems.push({ file: this.#where, ...(field !== '' && { field }), message })
    return undefined
  }
}

function badConfig(where: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'BAD_LOOP_CONFIG',
    message: `${where} is not a usable orchestrator configuration`,
    hint: 'see the guide: docs/write/orchestrator.md',
    problems: problems.map((problem) => ({ ...problem, file: where })),
  })
}
