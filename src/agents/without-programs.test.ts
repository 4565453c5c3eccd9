// On a system on which Viva starts no programs: what needs them is refused when it is named, the rest works.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http } from '../../test/support/http.js'
import { agentRequest } from '../../test/support/agent-request.js'
import { createProcesses } from '../../test/support/processes.js'
import { openConnectors } from '../connectors/registry.js'
import { UserError } from '../errors.js'
import { windows } from '../process/platform/windows.js'
import { openScripts } from '../scripts/host/runtime.js'
import { openAgents, type Agents } from './resolve.js'

const FILES: Record<string, string> = {
  'app.yao': '{}',
  'connectors/canned.conn.yao': '{ "type": "mock", "options": { "responses": ["canned"] } }',
  'assistants/plain/package.yao': '{ "name": "plain", "connector": "canned" }',
  'assistants/hooked/package.yao': '{ "name": "hooked", "connector": "canned" }',
  'assistants/hooked/src/index.ts': 'export function Create() { return null }',
  'assistants/tooled/package.yao': '{ "name": "tooled", "connector": "canned", "mcp": { "servers": ["desk"] } }',
  'assistants/tooled/mcps/desk.mcp.yao': '{ "transport": "stdio", "command": "node", "arguments": ["server.mjs"] }',
  'agent.mjs': 'export const answer = () => "from a module"',
}

let root = ''
let agents: Agents
const processes = createProcesses({ platform: windows })
const refuse = (): Promise<never> => Promise.reject(new Error('not part of this test'))

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'viva-windows-'))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  agents = openAgents({
    http,
    appRoot: root,
    cwd: root,
    config: { agents: { tool: 'exec:node agent.mjs' } },
    connectors: openConnectors({ appRoot: root, env: {}, http }),
    scripts: { find: refuse, runFile: refuse, call: refuse, close: () => Promise.resolve() },
    processes,
    callProcess: refuse,
    pass_env: [],
    env: {},
  })
})
afterAll(async () => {
  await agents.close()
  rmSync(root, { recursive: true, force: true })
})

const resolve = (target: string) => agents.resolve(target, { dir: root })

test.for([
  ['exec:node agent.mjs', /^exec agents cannot run on Windows: /],
  ['acp:node agent.mjs', /^ACP agents cannot run on Windows: /],
  ['tool', /^agents\.tool in .*: exec agents cannot run on Windows: /],
  ['hooked', /^the hooks in .*index\.ts cannot run on Windows: /],
  ['tooled', /^the tool server of .*desk\.mcp\.yao cannot run on Windows: /],
] as const)('%s is refused when it is named', async ([target, message]) => {
  const error: unknown = await resolve(target).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  expect(error).toMatchObject({
    code: 'NOT_ON_THIS_SYSTEM',
    exitCode: 2,
    message: expect.stringMatching(message) as string,
    hint: expect.stringContaining('use WSL') as string,
  })
})

test('script tests are refused before one is looked for', () => {
  const open = () => openScripts({ appRoot: root, http, processes, poolSize: 1, handlers: { process: refuse } })
  expect(open).toThrow(/^scripts cannot run on Windows: /)
})

test.for([
  ['plain', 'canned'],
  ['./agent.mjs#answer', 'from a module'],
  ['builtin:echo', 'hi'],
] as const)('%s works', async ([target, answer]) => {
  const agent = await resolve(target)
  expect(await agent.send(agentRequest('hi'))).toMatchObject({ content: answer })
})
