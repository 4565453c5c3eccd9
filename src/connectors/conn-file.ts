// Reads a connector file: JSON with comments, checked field by field, variables filled in.
import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { UserError, type Problem } from '../errors.js'
import { FREE_KEY } from '../model/free-key.js'
import type { Price } from '../model/config.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { isRecord, readString, isAmount } from '../base/record.js'
import { preview } from '../base/text.js'
import { parseJson } from '../base/json/parse-json.js'
import { expandEnv, type EnvValues } from './env-values.js'
import { readFinishReasons } from './finish-reason.js'
import { CONNECTOR_KINDS } from './kinds.js'
import { variablesOf } from './places.js'
import type { AuthMode, ConnectorFile } from './types.js'

const LIMITS = ['concurrency', 'per_minute', 'tokens_per_minute']
const FIELDS = ['label', 'type', 'options', 'price', 'limits', 'auth_mode', 'finish_reasons', 'name', 'version']
/** From catalogues: nothing depends on them. */
const FREE = ['LANG', 'VERSION', 'tags', 'sort', 'readonly', 'built_in', 'builtin', 'public', 'share']

export interface ReadConnector {
  id: string
  path: string
  appRoot: string
  agentDir?: string
  env: EnvValues
  /** The content of the file, if it has been read before. */
  text?: string
}

export async function readConnectorFile(read: ReadConnector): Promise<ConnectorFile> {
  const { id, path, appRoot, agentDir, env } = read
  const file = relative(appRoot, path)
  const value = await readJsonc(read.text ?? readFileSync(path, 'utf8'), file)
  const problems: Problem[] = []
  const add = (field: string, message: string, suggestion?: string): void => {
    problems.push({ file, field, message, ...defined({ suggestion }) })
  }
  if (!isRecord(value)) throw badFile(file, [{ file, line: 1, message: `expected an object, found ${preview(value)}` }])

  const type = readString(value['type'])
  const types = CONNECTOR_KINDS.map((kind) => kind.type)
  if (type === undefined) add('type', `expected one of ${types.join(', ')}`)
  else if (!types.includes(type)) add('type', `"${type}" is not one of ${types.join(', ')}`, suggest(type, types))
  const options = value['options'] ?? {}
  if (!isRecord(options)) add('options', `expected an object, found ${preview(options)}`)
  for (const key of Object.keys(value)) {
    if (FIELDS.includes(key) || FREE.includes(key) || FREE_KEY.test(key)) continue
    add(key, `unknown field; known: ${FIELDS.join(', ')}`, suggest(key, FIELDS))
  }
  const price = readPrice(value['price'], add)
  const limits = readLimits(value['limits'], add)
  const auth_mode = readAuthMode(value['auth_mode'], type, add)
  const given = value['finish_reasons']
  const finish_reasons = given === undefined ? undefined : readFinishReasons(given)
  if (given !== undefined && !finish_reasons)
    add('finish_reasons', `expected ${FINISH_REASONS}, found ${preview(given)}`)
  if (isRecord(options) && 'finish_reasons' in options)
    add('options.finish_reasons', 'belongs beside options, not into it')
  if (problems.length > 0 || type === undefined || !isRecord(options)) throw badFile(file, problems)

  return {
    id,
    type,
    file,
    options: expandEnv(options, env, file) as Record<string, unknown>,
    limits,
    variables: variablesOf(options),
    folders: [dirname(path), ...(agentDir === undefined ? [] : [agentDir]), appRoot],
    ...defined({ label: readString(value['label']), price, auth_mode, finish_reasons }),
  }
}

const FINISH_REASONS = 'a list of words that mean finished, or {"word": "stop", …}'

type Add = (field: string, message: string) => void

function readPrice(value: unknown, add: Add): Price | undefined {
  if (value === undefined) return undefined
  const { input, output, cached_input, cache_write, ...rest } = isRecord(value) ? value : {}
  const isRest = [cached_input, cache_write].every((each) => each === undefined || isAmount(each))
  if (isAmount(input) && isAmount(output) && isRest && Object.keys(rest).length === 0)
    return { input, output, ...defined({ cached_input, cache_write }) } as Price
  add(
    'price',
    `expected {"input": …, "output": …}, with "cached_input" and "cache_write" if you like, in dollars per million tokens, found ${preview(value)}`,
  )
  return undefined
}

function readLimits(value: unknown, add: Add): ConnectorFile['limits'] {
  if (value === undefined) return {}
  if (!isRecord(value)) {
    add('limits', `expected {"concurrency": …, "per_minute": …, "tokens_per_minute": …}, found ${preview(value)}`)
    return {}
  }
  const count = (name: string): number | undefined => {
    const given = value[name]
    if (given === undefined || (typeof given === 'number' && Number.isInteger(given) && given >= 1)) return given
    add(`limits.${name}`, `expected a whole number of at least 1, found ${preview(given)}`)
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (!LIMITS.includes(key)) add(`limits.${key}`, 'the limits are concurrency, per_minute and tokens_per_minute')
  }
  return defined({
    concurrency: count('concurrency'),
    per_minute: count('per_minute'),
    tokens_per_minute: count('tokens_per_minute'),
  })
}

function readAuthMode(value: unknown, type: string | undefined, add: Add): AuthMode | undefined {
  if (value === undefined) return undefined
  const known = CONNECTOR_KINDS.find((kind) => kind.type === type)?.authModes ?? []
  const mode = known.find((each) => each === value)
  if (mode !== undefined) return mode
  if (known.length === 0) add('auth_mode', `has no effect in a connector of type ${type}: remove it`)
  else add('auth_mode', `expected one of ${known.join(', ')}, found ${preview(value)}`)
  return undefined
}

export async function readJsonc(written: string, file: string): Promise<unknown> {
  const text = written.replace(/^\uFEFF/, '')
  const plain = parseJson(text)
  if (plain) return plain.value
  // Comments, trailing commas, or a mistake: the slow parser knows which.
  if (text.trim() === '') throw badFile(file, [{ file, line: 1, message: 'the file is empty' }])
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: import('jsonc-parser').ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length === 0) return value
  const problems = errors.map(({ error, offset }): Problem => {
    const before = text.slice(0, offset).split('\n')
    return {
      file,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: `${printParseErrorCode(error)}, found ${JSON.stringify(text.slice(offset, offset + 20))}`,
    }
  })
  throw badFile(file, problems)
}

function badFile(file: string, problems: Problem[]): UserError {
  return new UserError({
    code: 'BAD_CONNECTOR',
    message: `${file} is not a connector`,
    hint: 'e.g. {"type": "openai", "options": {"model": "gpt-4o", "key": "$ENV.OPENAI_API_KEY"}}',
    problems,
  })
}
