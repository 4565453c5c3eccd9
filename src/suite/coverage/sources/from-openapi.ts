// The operations of an OpenAPI file as tools: parameters and the fields of the body are their arguments.
import { readFileSync } from 'node:fs'
import { messageOf } from '../../../base/message-of.js'
import { isRecord, readString } from '../../../base/record.js'
import { defined } from '../../../base/defined.js'
import { UserError, type Problem } from '../../../errors.js'
import { parseStrictJson } from '../../../pipeline/sources/strict-json.js'
import { resolveRef } from '../../../json-schema/resolve-ref.js'
import type { Schema } from '../schema-places.js'
import type { ListedTool } from '../surface.js'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

export async function operationsOf(path: string): Promise<ListedTool[]> {
  const document = await readDocument(path)
  const { paths } = document
  if (!isRecord(paths)) throw notOpenApi(path, 'it has no "paths"')
  const seen = new Set<unknown>()
  const tools = Object.entries(paths).flatMap(([route, given]) => {
    requireInside(path, isRecord(given) && { $ref: given['$ref'] }, document, seen)
    const item = followed(given, document)
    requireInside(path, item['parameters'], document, seen)
    return METHODS.flatMap((method) => {
      if (!isRecord(item[method])) return []
      const operation = followed(item[method], document)
      requireInside(path, [operation['parameters'], operation['requestBody']], document, seen)
      return [{ title: `${method.toUpperCase()} ${route}`, tool: toolOf(operation, item, document) }]
    })
  })
  if (tools.length === 0) throw notOpenApi(path, 'it has no operations')
  const taken = new Set<string>()
  return tools.map(({ title, tool: { name = title, ...tool } }) => {
    // Two operations with one id are still two.
    const own = taken.has(name) ? title : name
    taken.add(own)
    return { name: own, ...tool }
  })
}

/** What cannot be followed would be missing, and the coverage too high. */
function requireInside(path: string, value: unknown, document: Schema, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const { $ref } = value as Schema
  if (typeof $ref === 'string') {
    const target = resolveRef($ref, document)
    if (target === undefined) throw refersElsewhere(path, $ref)
    requireInside(path, target, document, seen)
  }
  for (const [key, part] of Object.entries(value))
    if (key !== 'example' && key !== 'examples') requireInside(path, part, document, seen)
}

type Operation = Omit<ListedTool, 'name'> & { name?: string }

function toolOf(operation: Schema, item: Schema, document: Schema): Operation {
  const properties: Record<string, unknown> = {}
  for (const given of [...listOf(item['parameters']), ...listOf(operation['parameters'])]) {
    const parameter = followed(given, document)
    const name = readString(parameter['name'])
    // The body of Swagger 2 is a parameter.
    if (parameter['in'] === 'body') Object.assign(properties, bodyProperties(parameter['schema'], document))
    else if (name) properties[name] = parameter['schema'] ?? parameter
  }
  const content = followed(operation['requestBody'], document)['content']
  const media = isRecord(content) ? Object.entries(content).find(([type]) => /json|form/.test(type))?.[1] : undefined
  if (isRecord(media)) Object.assign(properties, bodyProperties(media['schema'], document))
  return {
    // With the document beside it, so that references lead somewhere.
    input_schema: { ...document, type: 'object', properties },
    ...defined({
      name: readString(operation['operationId']) || undefined,
      description: readString(operation['summary']) ?? readString(operation['description']),
    }),
  }
}

/** A body that is not an object is one argument. */
function bodyProperties(given: unknown, document: Schema): Record<string, unknown> {
  const schema = followed(given, document)
  const parts = listOf(schema['allOf']).map((part) => followed(part, document)['properties'])
  const found = [schema['properties'], ...parts].filter(isRecord)
  if (found.length > 0) return Object.assign({}, ...found) as Record<string, unknown>
  return Object.keys(schema).length > 0 ? { body: given } : {}
}

function followed(given: unknown, document: Schema): Schema {
  let value = given
  for (let depth = 0; depth < 10 && isRecord(value) && typeof value['$ref'] === 'string'; depth++)
    value = resolveRef(value['$ref'], document)
  return isRecord(value) ? value : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

async function readDocument(path: string): Promise<Schema> {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw notOpenApi(path, messageOf(cause), [], cause)
  }
  const { value, problems } = text.trimStart().startsWith('{') ? await parseStrictJson(text) : await parseYaml(text)
  if (problems.length > 0) throw notOpenApi(path, 'it cannot be parsed', problems)
  if (isRecord(value) && (typeof value['openapi'] === 'string' || typeof value['swagger'] === 'string')) return value
  throw notOpenApi(path, 'it has no "openapi" version')
}

async function parseYaml(text: string): Promise<{ value: unknown; problems: Problem[] }> {
  const { parseStrictYaml } = await import('../../../files/strict-yaml.js')
  const [part] = parseStrictYaml(text).parts
  if (!part) return { value: undefined, problems: [] }
  return 'problems' in part ? { value: undefined, problems: part.problems } : { value: part.toJSON(), problems: [] }
}

function refersElsewhere(path: string, ref: string): UserError {
  return new UserError({
    code: 'BAD_OPENAPI',
    subject: { flag: '--openapi' },
    message: `${path} refers to ${ref}, which is not in it`,
    hint: 'join the files of the description into one first; most OpenAPI tools can bundle them',
  })
}

function notOpenApi(path: string, why: string, problems: Problem[] = [], cause?: unknown): UserError {
  return new UserError({
    code: 'BAD_OPENAPI',
    subject: { flag: '--openapi' },
    message: `${path} is not an OpenAPI file: ${why}`,
    hint: 'give an OpenAPI 3 or Swagger 2 document, as JSON or YAML',
    problems: problems.map((problem) => ({ ...problem, file: path })),
    ...(cause !== undefined && { cause }),
  })
}
