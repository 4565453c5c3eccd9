// Reads a connector file: JSON with comments, checked field by field, variables filled in.
import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { UserError, type Problem } from '../errors.js'
import type { Price } from '../model/options.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { isRecord, readString } from '../base/record.js'
import { preview } from '../base/text.js'
import { parseJson } from '../base/json/parse-json.js'
import { expandEnv, type Environment } from './env-values.js'
import { variablesOf } from './places.js'
import type { ConnectorFile } from './types.js'

const CONNECTOR_TYPES = ['openai', 'anthropic', 'google', 'ai-sdk', 'mock', 'echo'] as const
const FIELDS = ['label', 'type', 'options', 'price', 'limits', 'name', 'version', 'description']

export interface ReadConnector {
  id: string
  path: string
  appRoot: string
  agentDir?: string
  env: Environment
}

export async function readConnectorFile({ id, path, appRoot, agentDir, env }: ReadConnector): Promise<ConnectorFile> {
  const file = relative(appRoot, path)
  const value = await readJsonc(path, file)
  const problems: Problem[] = []
  const add = (field: string, message: string, suggestion?: string): void => {
    problems.push({ file, field, message, ...defined({ suggestion }) })
  }
  if (!isRecord(value)) throw badFile(file, [{ file, line: 1, message: `expected an object, found ${preview(value)}` }])

  const type = readString(value['type'])
  if (type === undefined) add('type', `expected one of ${CONNECTOR_TYPES.join(', ')}`)
  else if (!(CONNECTOR_TYPES as readonly string[]).includes(type)) {
    add('type', `"${type}" is not one of ${CONNECTOR_TYPES.join(', ')}`, suggest(type, CONNECTOR_TYPES))
  }
  const options = value['options'] ?? {}
  if (!isRecord(options)) add('options', `expected an object, found ${preview(options)}`)
  for (const key of Object.keys(value)) {
    const near = FIELDS.includes(key) ? undefined : suggest(key, FIELDS)
    if (near !== undefined) add(key, `unknown field`, near)
  }
  const price = readPrice(value['price'], add)
  const limits = readLimits(value['limits'], add)
  if (problems.length > 0 || type === undefined || !isRecord(options)) throw badFile(file, problems)

  return {
    id,
    type,
    file,
    options: expandEnv(options, env, file) as Record<string, unknown>,
    limits,
    variables: variablesOf(options),
    folders: [dirname(path), ...(agentDir === undefined ? [] : [agentDir]), appRoot],
    ...defined({ label: readString(value['label']), price }),
  }
}

type Add = (field: string, message: string) => void

function readPrice(value: unknown, add: Add): Price | undefined {
  if (value === undefined) return undefined
  const input = isRecord(value) ? value['input'] : undefined
  const output = isRecord(value) ? value['output'] : undefined
  if (isAmount(input) && isAmount(output)) return { input, output }
  add('price', `expected {"input": …, "output": …} in dollars per million tokens, found ${preview(value)}`)
  return undefined
}

function readLimits(value: unknown, add: Add): ConnectorFile['limits'] {
  if (value === undefined) return {}
  if (!isRecord(value)) {
    add('limits', `expected {"concurrency": …, "per_minute": …}, found ${preview(value)}`)
    return {}
  }
  const count = (name: string): number | undefined => {
    const given = value[name]
    if (given === undefined || (typeof given === 'number' && Number.isInteger(given) && given >= 1)) return given
    add(`limits.${name}`, `expected a whole number of at least 1, found ${preview(given)}`)
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (key !== 'concurrency' && key !== 'per_minute') add(`limits.${key}`, 'known are concurrency and per_minute')
  }
  return defined({ concurrency: count('concurrency'), per_minute: count('per_minute') })
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

async function readJsonc(path: string, file: string): Promise<unknown> {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  const plain = parseJson(text)
  if (plain) return plain.value
  // Comments, trailing commas, or a mistake: the slow way tells which.
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
