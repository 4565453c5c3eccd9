// What is in a folder already, and what to propose for it. Files are read, nothing of them is run.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isRecord } from '../../base/record.js'
import { likelyAgents } from '../../agents/likely-agents.js'
import { findAgentDir, listAgentIds } from '../../agents/resolve-id.js'
import { CONFIG_NAMES } from '../../files/app-root.js'
import { isFile, isFolder, statOf } from '../../files/stat.js'
import { ownAgent, type Found } from './choice.js'
import { openApiAgent } from './open-api.js'

/** The strongest evidence first: the first proposal is preselected. */
const DETECTORS: ReadonlyArray<(dir: string) => Found[] | Promise<Found[]>> = [
  promptfoo,
  ownFiles,
  ownPackages,
  openApi,
  sdk,
  pythonSdk,
  mcpServer,
  skill,
]

export async function detect(dir: string): Promise<Found[]> {
  if (!isFolder(dir)) return []
  const found: Found[] = []
  for (const detector of DETECTORS) found.push(...(await detector(dir)))
  return found
}

function promptfoo(dir: string): Found[] {
  const file = ['yaml', 'yml', 'json'].map((end) => `promptfooconfig.${end}`).find((name) => has(dir, name))
  if (file === undefined) return []
  const about = `turn ${file} into cases, in viva-tests/`
  const command = `import ${file} -o viva-tests`
  const note = `viva ${command} turns it into cases`
  return [{ seen: file, choice: { name: 'import', about, command, files: {}, setup: [], tests: [] }, note }]
}

async function ownFiles(dir: string): Promise<Found[]> {
  return (await likelyAgents(dir, dir)).map((target) => {
    const file = target.replace(/^exec:\S+ |^\.\//, '').replace(/#.*$/, '')
    return { seen: file, choice: ownAgent(target, 'cases for the agent you have') }
  })
}

const MOST_PACKAGES = 3

function ownPackages(dir: string): Found[] {
  return listAgentIds(dir)
    .slice(0, MOST_PACKAGES)
    .flatMap((id) => {
      const home = findAgentDir(dir, id)
      if (home === undefined) return []
      const folder = relative(dir, home)
      const file = join(folder, 'tests/inputs.jsonl')
      return [{ seen: join(folder, 'package.yao'), choice: ownAgent(id, 'cases for the package you have', file) }]
    })
}

const OPEN_API = ['', 'docs/', 'api/'].flatMap((folder) =>
  ['openapi', 'swagger'].flatMap((name) => ['yaml', 'yml', 'json'].map((end) => `${folder}${name}.${end}`)),
)

async function openApi(dir: string): Promise<Found[]> {
  const file = OPEN_API.find((name) => has(dir, name))
  if (file === undefined) return []
  const seen = `${file} (OpenAPI)`
  const agent = await openApiAgent(readText(dir, file))
  if (!agent)
    return [{ seen, kind: 'function', note: `no operation in ${file} takes "messages": call it from a function` }]
  const note = `the server must be running at ${agent.target}`
  if (CONFIG_NAMES.some((name) => has(dir, name))) {
    if (agent.response_path !== undefined) return [{ seen, kind: 'http', note }]
    return [{ seen, choice: ownAgent(agent.target, 'cases for your server'), note }]
  }
  const choice = ownAgent('api', `cases for your server at ${agent.target}`)
  const config = `${JSON.stringify({ agents: { api: agent } }, null, 2)}\n`
  return [{ seen, choice: { ...choice, files: { 'viva.config.json': config, ...choice.files } }, note }]
}

const SDKS: Record<string, string> = {
  ai: 'AI SDK',
  '@openai/agents': 'OpenAI Agents SDK',
  '@langchain/langgraph': 'LangGraph',
  '@mastra/core': 'Mastra',
  '@google/adk': 'Agent Development Kit',
  '@anthropic-ai/claude-agent-sdk': 'Claude Agent SDK',
  langchain: 'LangChain',
  openai: 'OpenAI SDK',
  '@anthropic-ai/sdk': 'Anthropic SDK',
  '@google/genai': 'Google Gen AI SDK',
}

function sdk(dir: string): Found[] {
  const used = dependencies(dir)
  const found = Object.keys(SDKS).filter((each) => used.has(each))
  if (found.length === 0) return []
  const seen = found.map((name) => `${name} (${SDKS[name]})`).join(', ')
  return [{ seen: `package.json: ${seen}`, kind: 'function' }]
}

const PYTHON_FILES = ['requirements.txt', 'pyproject.toml']
const PYTHON_SDK =
  /^\s*["']?(openai-agents|google-adk|langgraph|langchain|claude-agent-sdk|pydantic-ai|crewai|openai|anthropic)\b/m

function pythonSdk(dir: string): Found[] {
  const found = PYTHON_FILES.flatMap((file) => {
    const name = PYTHON_SDK.exec(readText(dir, file))?.[1]
    return name === undefined ? [] : [{ seen: `${file}: ${name}`, kind: 'python' }]
  })
  return found.slice(0, 1)
}

const MCP_LIBRARIES = ['@modelcontextprotocol/server', '@modelcontextprotocol/sdk', 'fastmcp']

function mcpServer(dir: string): Found[] {
  const used = dependencies(dir)
  const name = MCP_LIBRARIES.find((each) => used.has(each))
  const python = PYTHON_FILES.find((file) => /^\s*["']?(?:fast)?mcp\b/m.test(readText(dir, file)))
  const file = name === undefined ? python : `package.json: ${name}`
  if (file === undefined) return []
  const note = 'viva init --kind mcp "COMMAND" writes cases for the server it starts'
  return [{ seen: `${file} (MCP)`, kind: 'mcp', note }]
}

function skill(dir: string): Found[] {
  if (!has(dir, 'SKILL.md')) return []
  return [
    { seen: 'SKILL.md', note: 'test it with an agent that uses it: viva test -n skill:. --with cli:claude -i CASES' },
  ]
}

function dependencies(dir: string): Set<string> {
  try {
    const manifest: unknown = JSON.parse(readText(dir, 'package.json'))
    const parts = isRecord(manifest) ? [manifest['dependencies'], manifest['devDependencies']] : []
    return new Set(parts.flatMap((part) => (isRecord(part) ? Object.keys(part) : [])))
  } catch {
    return new Set()
  }
}

const MOST_BYTES = 5 * 1024 * 1024

/** Empty if there is no such file, or it cannot be read. */
function readText(dir: string, name: string): string {
  const path = join(dir, name)
  try {
    const stats = statOf(path)
    return stats?.isFile() && stats.size <= MOST_BYTES ? readFileSync(path, 'utf8') : ''
  } catch {
    return ''
  }
}

function has(dir: string, name: string): boolean {
  return isFile(join(dir, name))
}
