// viva.config.{ts,js,mjs,json,yaml} at the application root: defaults, named agents, prices, redactions.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { liveRefused, UserError, type Problem } from '../errors.js'
import type { AgentEntry, VivaConfig, WrittenConfig } from '../model/config.js'
import { CONFIG_NAMES } from '../files/app-root.js'
import { messageOf } from '../base/message-of.js'
import { fieldSteps } from '../base/field-name.js'
import { plural } from '../base/format.js'
import { positionOf } from '../pipeline/sources/raw-value.js'

export interface LoadedConfig {
  config: VivaConfig
  /** Its name; absent if there is none. */
  file?: string
}

/** `live: false`: a configuration that is a module is refused, not run. */
export async function loadConfig(
  dir: string,
  { live = true }: { live?: boolean | undefined } = {},
): Promise<LoadedConfig> {
  const name = CONFIG_NAMES.find((candidate) => existsSync(join(dir, candidate)))
  if (name === undefined) return { config: {} }
  const path = join(dir, name)
  if (!live && /\.m?[jt]s$/.test(name)) throw liveRefused(`${name} is a module`)
  const { value, problems } = path.endsWith('.json') ? await readJson(path) : await readOther(path)
  if (problems.length > 0) {
    throw new UserError({
      code: 'BAD_CONFIG',
      message: `${name} has ${plural(problems.length, 'problem')}`,
      problems,
    })
  }
  return { config: withTargets(value as WrittenConfig), file: name }
}

/** `url` is another word for the target of an endpoint. */
function withTargets({ agents, ...rest }: WrittenConfig): VivaConfig {
  if (agents === undefined) return rest
  const entries = Object.entries(agents).map(([name, entry]): [string, string | AgentEntry] => {
    if (typeof entry === 'string') return [name, entry]
    const { url, target = url ?? '', ...settings } = entry
    return [name, { target, ...settings }]
  })
  return { ...rest, agents: Object.fromEntries(entries) }
}

interface ReadConfig {
  value: unknown
  problems: Problem[]
}

/** With the line of every mistake. */
async function readJson(path: string): Promise<ReadConfig> {
  const text = textOf(path).replace(/^\uFEFF/, '')
  const { parseStrictJson } = await import('../pipeline/sources/strict-json.js')
  const { value, problems: broken } = await parseStrictJson(text)
  if (broken.length > 0) return { value, problems: broken.map((problem) => ({ file: path, ...problem })) }
  const problems = await check(value, path)
  if (problems.length === 0) return { value, problems }
  const { fieldLocator } = await import('../base/json/json-error.js')
  const locate = fieldLocator(text)
  const raw = { text, line: 1, column: 1 }
  return {
    value,
    problems: problems.map((problem) => ({ ...problem, ...positionOf(raw, locate(fieldSteps(problem.field ?? ''))) })),
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function readOther(path: string): Promise<ReadConfig> {
  const value = await valueOf(path)
  return { value, problems: await check(value, path) }
}

async function valueOf(path: string): Promise<unknown> {
  try {
    if (path.endsWith('.yaml') || path.endsWith('.yml')) {
      const { parse } = await import('yaml')
      return parse(readFileSync(path, 'utf8'), { version: '1.2', maxAliasCount: 0 })
    }
    const { loadModule } = await import('../agents/targets/load-module.js')
    const { exports, release } = await loadModule(path)
    // A configuration is data: once it has exported that, it is done.
    release()
    return exports['default']
  } catch (error) {
    // Whatever kept the module from loading, the fix belongs in the configuration.
    if (error instanceof UserError) throw error.as({ code: 'BAD_CONFIG' })
    throw unreadable(path, error)
  }
}

async function check(value: unknown, path: string): Promise<Problem[]> {
  const { checkConfig } = await import('./check-config.js')
  return checkConfig(value, path)
}

function unreadable(path: string, error: unknown): UserError {
  return new UserError({
    code: 'BAD_CONFIG',
    message: `${path}: ${withoutExcerpt(messageOf(error))}`,
    hint: 'the configuration must be valid before anything runs',
    cause: error,
  })
}

/** YAML mistakes come with the lines around them, which would be one long line here. */
function withoutExcerpt(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '')
}
