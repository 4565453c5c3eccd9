// `mcps/x.mcp.yao`: a server of tools, and the ways to refer to one.
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Problem } from '../../../errors.js'
import { defined } from '../../../base/defined.js'
import { isPresent, isRecord, isStrings, readString } from '../../../base/record.js'
import { nearMisses, suggest } from '../../../base/suggest.js'
import { isInside } from '../../../files/inside.js'
import { listFiles } from '../load/folder.js'
import { describe } from '../load/describe.js'
import { locateProblems, readYao } from '../load/yao-file.js'
import { type FieldProblem } from '../../../base/field-name.js'
import type { HttpServer, StdioServer } from '../../../mcp-client/server.js'

export interface ServerRef {
  server_id: string
  /** Only these tools; absent: all. */
  tools?: string[]
  resources?: string[]
}

export interface ProcessTool {
  name: string
  process: string
  description?: string
  input_schema: Record<string, unknown>
  /** `x-process-args` */
  args: unknown[]
}

export type ToolServer = { file: string; description?: string } & (
  | { transport: 'process'; tools: ProcessTool[] }
  | StdioServer
  | HttpServer
)

const FIELDS = 'transport description tools command arguments args env url headers authorization_token'.split(' ')

const ENDING = /\.mcp\.(?:yao|jsonc?)$/

/** A string, `{server_id, tools, resources}`, `{id: [tools]}` or `{id: {tools, resources}}`; undefined if it is none of these. */
export function parseServerRef(value: unknown): ServerRef | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { server_id: value }
  if (!isRecord(value)) return undefined
  const { server_id: id, ...rest } = value
  if (typeof id === 'string' && id !== '') return refWith(id, rest)
  const [entry, ...others] = Object.entries(value)
  if (!entry || others.length > 0) return undefined
  const [server_id, given] = entry
  if (Array.isArray(given)) return refWith(server_id, { tools: given })
  return isRecord(given) ? refWith(server_id, given) : undefined
}

/** Undefined if a list is not one, or has almost the right name: the agent would have every tool of the server. */
function refWith(server_id: string, given: Record<string, unknown>): ServerRef | undefined {
  const { tools, resources } = given
  const isWrong = (list: unknown): boolean => isPresent(list) && !isStrings(list)
  if (isWrong(tools) || isWrong(resources) || nearMisses(given, ['tools', 'resources']).length > 0) return undefined
  return { server_id, ...(isStrings(tools) && { tools }), ...(isStrings(resources) && { resources }) }
}

/** What is wrong with the names of the tools that are used of a server; undefined if nothing is. */
export function unknownTools({ server_id, tools = [] }: ServerRef, known: string[]): string | undefined {
  const name = tools.find((tool) => !known.includes(tool))
  if (name === undefined) return undefined
  const near = suggest(name, known)
  const there = known.length > 0 ? `it has: ${known.join(', ')}` : 'it has none'
  return `the tool server "${server_id}" has no tool "${name}"; ${near ? `did you mean "${near}"?` : there}`
}

/** The id of a server's file, relative to its `mcps` folder: `foo/bar.mcp.yao` → `foo.bar`. */
export function serverIdOf(path: string): string {
  return path.replace(ENDING, '').split(/[/\\]/).join('.')
}

export function listServerFiles(mcpsDir: string): string[] {
  return listFiles(mcpsDir, ENDING).filter((file) => !relative(mcpsDir, file).startsWith(`mapping${sep}`))
}

/** The file of a server id below an `mcps` folder. Ids never lead out of it. */
export function findServerFile(mcpsDir: string, id: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(id)) return undefined
  for (const ending of ['.mcp.yao', '.mcp.jsonc', '.mcp.json']) {
    const file = join(mcpsDir, ...id.split('.')) + ending
    if (existsSync(file) && isInside(mcpsDir, file)) return file
  }
  return undefined
}

export async function loadServer(
  file: string,
  mcpsDir: string,
  cwd: string,
  problems: Problem[],
): Promise<ToolServer | undefined> {
  const source = await readYao(file, problems)
  if (!source) return undefined
  const found: FieldProblem[] = []
  const server = isRecord(source.value)
    ? await parseServer(source.value, { file, mcpsDir, cwd, problems, found })
    : undefined
  if (!isRecord(source.value)) found.push({ path: [], message: `expected an object, found ${describe(source.value)}` })
  problems.push(...(await locateProblems(source, found)))
  return server
}

interface ServerSource {
  file: string
  mcpsDir: string
  cwd: string
  problems: Problem[]
  found: FieldProblem[]
}

async function parseServer(value: Record<string, unknown>, source: ServerSource): Promise<ToolServer | undefined> {
  for (const { key, suggestion } of nearMisses(value, FIELDS))
    source.found.push({ path: [key], message: `unknown field "${key}"`, suggestion })
  const transport: unknown = value['transport'] ?? (value['command'] ? 'stdio' : value['url'] ? 'http' : 'process')
  const shared = { file: source.file, ...defined({ description: readString(value['description']) }) }
  switch (transport) {
    case 'process':
      return { ...shared, transport: 'process', tools: await processTools(value['tools'], source) }
    case 'stdio': {
      const command = requireText(value, 'command', source)
      const args = textList(
        value['arguments'] ?? value['args'],
        value['arguments'] === undefined ? 'args' : 'arguments',
        source,
      )
      return {
        ...shared,
        transport: 'stdio',
        command,
        args,
        env: textRecord(value['env'], 'env', source),
        cwd: source.cwd,
      }
    }
    case 'http':
    case 'sse': {
      const headers = textRecord(value['headers'], 'headers', source)
      const token = readString(value['authorization_token'])
      if (token) headers['authorization'] = /^(?:Bearer|Basic)\s/i.test(token) ? token : `Bearer ${token}`
      return {
        ...shared,
        transport: transport === 'sse' ? 'sse' : 'http',
        url: requireText(value, 'url', source),
        headers,
      }
    }
    default: {
      const message = `transport must be process, stdio, http or sse, found ${describe(transport)}`
      source.found.push({ path: ['transport'], message })
      return undefined
    }
  }
}

async function processTools(value: unknown, source: ServerSource): Promise<ProcessTool[]> {
  if (!isRecord(value)) {
    source.found.push({ path: ['tools'], message: `expected tools {name: process}, found ${describe(value)}` })
    return []
  }
  const tools: ProcessTool[] = []
  for (const [name, given] of Object.entries(value)) {
    const process = isRecord(given) ? given['process'] : given
    if (typeof process !== 'string' || process === '') {
      source.found.push({
        path: ['tools', name],
        message: `expected the name of a process, found ${describe(process)}`,
      })
      continue
    }
    tools.push({ name, process, ...(await loadScheme(name, source)) })
  }
  return tools
}

/** `mapping/<server>/schemes/<tool>.in.yao`: the JSON Schema of the arguments. */
async function loadScheme(
  tool: string,
  source: ServerSource,
): Promise<Pick<ProcessTool, 'input_schema' | 'args' | 'description'>> {
  const id = serverIdOf(relative(source.mcpsDir, source.file))
  const folder = join(source.mcpsDir, 'mapping', ...id.split('.'), 'schemes')
  const file = [`${tool}.in.yao`, `${tool}.in.json`].map((name) => join(folder, name)).find((path) => existsSync(path))
  const scheme = file === undefined ? undefined : await readYao(file, source.problems)
  if (!scheme) return { input_schema: { type: 'object', properties: {} }, args: [] }
  if (!isRecord(scheme.value)) {
    source.problems.push({
      file: scheme.file,
      line: 1,
      message: `expected a JSON Schema, found ${describe(scheme.value)}`,
    })
    return { input_schema: { type: 'object', properties: {} }, args: [] }
  }
  const { 'x-process-args': args, ...input_schema } = scheme.value
  if (args !== undefined && !Array.isArray(args))
    source.problems.push({
      file: scheme.file,
      line: 1,
      field: 'x-process-args',
      message: `expected a list, found ${describe(args)}`,
    })
  return {
    input_schema,
    args: Array.isArray(args) ? args : [],
    ...defined({ description: readString(input_schema['description']) }),
  }
}

function requireText(value: Record<string, unknown>, name: string, { found }: ServerSource): string {
  const text = readString(value[name])
  if (text) return text
  found.push({ path: [name], message: `expected ${name}, a string, found ${describe(value[name])}` })
  return ''
}

function textList(value: unknown, name: string, { found }: ServerSource): string[] {
  if (value === undefined) return []
  if (isStrings(value)) return value
  found.push({ path: [name], message: `expected a list of strings, found ${describe(value)}` })
  return []
}

function textRecord(value: unknown, name: string, { found }: ServerSource): Record<string, string> {
  if (value === undefined) return {}
  if (isRecord(value) && Object.values(value).every((item) => typeof item === 'string'))
    return { ...value } as Record<string, string>
  found.push({ path: [name], message: `expected an object of strings, found ${describe(value)}` })
  return {}
}
