// Providers that are no models: endpoints and programs of the user's become agents; those of SDKs are named, with how they are tested.
import { isRecord } from '../../base/record.js'
import { readTemplate } from '../../files/shipped.js'
import { plainVariables } from '../template.js'
import type { Config } from './connectors.js'

export interface AgentMade {
  /** Of `agents` in the configuration. */
  entry: string | Record<string, unknown>
  files: Array<[path: string, text: string]>
  taken: string[]
}

/** Agents of SDKs and programs: what they are reached with instead. */
const ELSEWHERE: ReadonlyArray<[id: RegExp, how: string]> = [
  [/^anthropic:claude-(?:agent-sdk|code)/, 'test it with -n acp:claude-agent-acp, or a function that calls query()'],
  [/^openai:codex/, 'test it with -n acp:codex-acp'],
  [/^openai:agents/, 'test it with -n ./agent.ts#agent'],
  [/^opencode/, 'test it with -n "acp:opencode acp"'],
  [/^mcp/, 'it is a server of tools, not an agent'],
]

/** Where the configuration is, as seen from the suite, and what is beside it. */
export interface Place {
  from: string
  has(path: string): boolean
}

/** `name`: of the file. Throws an Error that says why it is left behind. */
export function agentFor(id: string, config: Config, name: string, { from, has }: Place): AgentMade {
  const elsewhere = ELSEWHERE.find(([pattern]) => pattern.test(id))
  if (elsewhere) throw new Error(`it is an agent, not a model: ${elsewhere[1]}`)
  if (/^https?(?::|$)/.test(id)) return httpAgent(id, config, name)
  const [, path, called] = /^(?:file:\/\/|python:)(.+?\.(?:py|[cm]?[jt]s))(?::(\w+))?$/.exec(id) ?? []
  if (path !== undefined && !has(path)) throw new Error(`there is no file ${path} inside the folder`)
  if (path?.endsWith('.py')) return pythonAgent(path, called ?? 'call_api', config, name, from)
  if (path !== undefined && called === undefined) return moduleAgent(id, path, config, name, from)
  if (id.startsWith('exec:'))
    return { entry: { target: id.replace(/^exec:\s*/, 'exec:'), prompt_mode: 'arg', cwd: from }, files: [], taken: [] }
  throw new Error('no connector or agent reaches it')
}

/** It stays where it is: it is what is tested, with whatever it needs beside it. */
function moduleAgent(id: string, path: string, config: Config, name: string, from: string): AgentMade {
  const file = `agents/${name}.mjs`
  const text = filled('module-agent.js', {
    FILE: `../${from}${path.replace(/^\.\//, '')}`,
    ID: id,
    CONFIG: code(config),
  })
  return { entry: `./${file}#run`, files: [[file, text]], taken: Object.keys(config) }
}

function pythonAgent(path: string, called: string, config: Config, name: string, from: string): AgentMade {
  const file = `agents/${name}.py`
  const { pythonExecutable, ...own } = config
  if (JSON.stringify(own).includes('{{')) throw new Error('its config has templates')
  const text = filled('python_agent.py', {
    FILE: `../${from}${path.replace(/^\.\//, '')}`,
    FUNCTION: called,
    CONFIG: JSON.stringify(JSON.stringify(own)),
  })
  const python = typeof pythonExecutable === 'string' ? pythonExecutable : 'python3'
  return { entry: { target: `exec:${python} ${file}` }, files: [[file, text]], taken: Object.keys(config) }
}

const HTTP_KEYS = [
  'url',
  'method',
  'headers',
  'body',
  'queryParams',
  'transformResponse',
  'responseParser',
  'maxRetries',
]

function httpAgent(id: string, config: Config, name: string): AgentMade {
  const url = typeof config['url'] === 'string' ? config['url'] : id
  if (!/^https?:\/\/|^\{\{/.test(url)) throw new Error('it has no address (url)')
  const body = bodyOf(config['body'])
  const query = isRecord(config['queryParams']) ? config['queryParams'] : {}
  const headers = isRecord(config['headers']) ? config['headers'] : {}
  const isText = typeof body === 'string' || body === undefined
  const hasType = Object.keys(headers).some((key) => key.toLowerCase() === 'content-type')
  const method = typeof config['method'] === 'string' ? config['method'] : body === undefined ? 'GET' : 'POST'
  if (isRecord(config['body']) && Object.values(headers).some((value) => String(value).includes('urlencoded')))
    throw new Error('its body is a form')
  const text = filled('http-agent.js', {
    URL: Object.keys(query).length > 0 ? `withQuery(${code(url)}, ${code(query)})` : code(url),
    METHOD: JSON.stringify(method),
    HEADERS: code(isText || hasType ? headers : { 'content-type': 'application/json', ...headers }),
    BODY: body === undefined ? 'undefined' : isText ? code(body) : `JSON.stringify(${code(body)})`,
    ANSWER: answerOf(config['transformResponse'] ?? config['responseParser']),
    QUERY: Object.keys(query).length > 0 ? WITH_QUERY : '',
  })
  const file = `agents/${name}.mjs`
  return { entry: `./${file}#run`, files: [[file, text]], taken: HTTP_KEYS }
}

const WITH_QUERY = `
function withQuery(url, query) {
  const full = new URL(url)
  for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value)
  return full
}
`

/** As text it is JSON if it can be read as JSON. */
function bodyOf(body: unknown): unknown {
  if (typeof body !== 'string') return body ?? undefined
  if (body.startsWith('file://')) throw new Error('its body is in a file')
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}

/** An expression over `json` and `text`, or a function of them. */
function answerOf(transform: unknown): string {
  if (transform === undefined || transform === null) return 'json ?? text'
  if (typeof transform !== 'string' || transform.startsWith('file://'))
    throw new Error('its transformResponse is a file')
  const trimmed = transform.trim().replace(/;$/, '')
  if (/\bcontext\b/.test(trimmed)) throw new Error('its transformResponse reads the context')
  if (/^(?:async\s+)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/.test(trimmed)) return `(${trimmed})(json, text, {})`
  if (/^return\b|\n\s*return\b/.test(trimmed)) return `(() => {\n${trimmed}\n  })()`
  return trimmed
}

/** A value as JavaScript, with its templates as expressions: `{{prompt}}` → prompt. */
function code(value: unknown): string {
  if (typeof value === 'string') return textCode(value)
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'undefined'
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${code(inner)}`)
    .join(', ')} }`.replace(/^\{ {2}\}$/, '{}')
}

function textCode(text: string): string {
  if (!/\{\{|\{%|\{#/.test(text)) return JSON.stringify(text)
  if (plainVariables(text) === undefined)
    throw new Error(`its template "${text.slice(0, 60)}" needs more than plain variables`)
  const [, only] = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(text) ?? []
  if (only !== undefined) return variableCode(only)
  const parts = text.replaceAll(/[`\\]|\$\{/g, '\\$&')
  return `\`${parts.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => `\${${variableCode(name)}}`)}\``
}

function variableCode(name: string): string {
  if (name === 'prompt') return 'prompt'
  return /^env\.\w+$/.test(name) ? `process.${name}` : `vars.${name}`
}

function filled(template: string, words: Record<string, string>): string {
  let text = readTemplate(`import/${template}`).replace(/^\/\* oxlint.*\n/, '')
  for (const [word, value] of Object.entries(words))
    text = text.replaceAll(new RegExp(`(?:// )?__${word}__`, 'g'), () => value)
  return text
}
