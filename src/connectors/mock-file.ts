// Scripted responses as written in a connector, a mock.yml or a JSON file, checked before the first is used.
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { UserError, type Problem } from '../errors.js'
import { MOCK_FIELDS, type MockResponse } from '../model/connector.js'
import { defined } from '../base/defined.js'
import { suggest } from '../base/suggest.js'
import { isRecord } from '../base/record.js'
import { compilePattern } from '../base/regex.js'
import { preview } from '../base/text.js'
import { messageOf } from '../base/message-of.js'
import { pathProblem } from '../base/relative-path.js'

const NAMES = ['mock.yml', 'mock.yaml', 'mock.json']

/** The file from which the bare connector `mock` answers. */
export function findMockFile(agentDir: string | undefined): string {
  const found = agentDir && NAMES.map((name) => join(agentDir, name)).find((path) => existsSync(path))
  if (found) return found
  throw new UserError({
    code: 'NO_MOCK_RESPONSES',
    message: `the connector "mock" has nothing to answer with: no mock.yml in ${agentDir ?? 'the folder of an agent'}`,
    hint: 'write mock.yml, a list such as "- output: hello", or name a connector of connectors/',
  })
}

export async function loadMockFile(name: string, folders: string[], where: string): Promise<MockResponse[]> {
  const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))
  const path = candidates.find((candidate) => existsSync(candidate))
  if (path === undefined) {
    throw new UserError({
      code: 'NO_MOCK_RESPONSES',
      message: `${where} names a file of responses that does not exist: ${name}`,
      hint: `looked for ${candidates.join(', ')}`,
    })
  }
  return checkResponses(await parseFile(path), path)
}

/** `source` is the file or field that errors name. */
export function checkResponses(value: unknown, source: string): MockResponse[] {
  const list: unknown = isRecord(value) && Array.isArray(value['responses']) ? value['responses'] : value
  if (!Array.isArray(list)) {
    throw badResponses(source, [{ file: source, message: `expected a list of responses, found ${preview(value)}` }])
  }
  const problems = list.flatMap((item, index) => checkResponse(item, index, source))
  if (problems.length > 0) throw badResponses(source, problems)
  return list.map((item) => (isRecord(item) ? (item as MockResponse) : { output: item }))
}

function checkResponse(item: unknown, index: number, file: string): Problem[] {
  // A bare string is the shortest response.
  if (typeof item === 'string') return []
  if (!isRecord(item)) return [{ file, field: `[${index}]`, message: `expected {output: …}, found ${preview(item)}` }]
  const problems: Problem[] = []
  for (const [key, value] of Object.entries(item)) {
    const field = `[${index}].${key}`
    const expected = Object.hasOwn(MOCK_FIELDS, key) ? MOCK_FIELDS[key as keyof MockResponse] : undefined
    if (expected === undefined) {
      problems.push({
        file,
        field,
        message: 'unknown field',
        ...defined({ suggestion: suggest(key, Object.keys(MOCK_FIELDS)) }),
      })
    } else if (expected !== 'any' && kindOf(value) !== expected) {
      problems.push({ file, field, message: `expected a ${expected}, found ${preview(value)}` })
    }
  }
  for (const [path, content] of isRecord(item['files']) ? Object.entries(item['files']) : []) {
    const problem = typeof content === 'string' ? pathProblem(path) : `expected text, found ${preview(content)}`
    if (problem !== undefined)
      problems.push({ file, field: `[${index}].files[${JSON.stringify(path)}]`, message: problem })
  }
  const pattern = item['trigger_pattern']
  if (typeof pattern === 'string') {
    try {
      compilePattern(pattern)
    } catch (error) {
      const why = messageOf(error)
      problems.push({ file, field: `[${index}].trigger_pattern`, message: `not a regular expression: ${why}` })
    }
  }
  return problems
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

async function parseFile(path: string): Promise<unknown> {
  const text = readFileSync(path, 'utf8')
  try {
    if (path.endsWith('.json')) return JSON.parse(text) as unknown
    const { parse } = await import('yaml')
    return parse(text, { version: '1.2', merge: false, uniqueKeys: true, maxAliasCount: 0 }) as unknown
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw badResponses(path, [{ file: path, message }], cause)
  }
}

function badResponses(source: string, problems: Problem[], cause?: unknown): UserError {
  return new UserError({
    code: 'BAD_MOCK_RESPONSES',
    message: `${source} has responses that cannot be used`,
    hint: 'each is e.g. {"output": "hello"}, optionally with trigger_pattern, tool_calls, delay_ms, error …',
    problems,
    cause,
  })
}
