import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { agentRequest, failure } from '../../../test/support/agent-request.js'
import { createProcesses } from '../../../test/support/processes.js'
import { makeFolder } from '../../../test/support/run-cli.js'
import { UserError } from '../../errors.js'
import { openModules } from '../module-host/modules.js'
import { createModuleAgent } from './module.js'

const cwd = fileURLToPath(new URL('../../../test/fixtures/modules/', import.meta.url))
const modules = openModules({ programs: createProcesses() })
const agent = (target: string) => createModuleAgent(target, { cwd, modules })
afterAll(() => modules.close())

async function check(target: string, expected: unknown) {
  expect(await (await agent(target)).send(agentRequest('you', { options: { mode: 'm' } }))).toEqual(expected)
}

test('the default export answers; TypeScript, enums and extensionless imports work', () =>
  check('./agents.ts', { content: 'hello you (good)', tool_calls: [], tool_evidence: 'unknown' }))

test('a named export gets messages, context and options', () =>
  check('./agents.ts#reply', {
    content: { said: 'you', locale: 'en-us', mode: 'm' },
    tool_calls: [{ name: 'f', args: { a: 1 } }],
    finish_reason: 'stop',
  }))

test('plain JavaScript is imported as it is', () =>
  check('plain.mjs', { content: 1, tool_calls: [], tool_evidence: 'unknown' }))

test('chunks become one answer, and are passed on as they come', async () => {
  const seen: string[] = []
  const reply = await (await agent('./agents.ts#chunks')).send(agentRequest('', { onChunk: (text) => seen.push(text) }))
  expect(reply).toMatchObject({
    content: 'one two three',
    tool_calls: [{ name: 'f', args: { a: 1 } }],
    usage: { total_tokens: 3 },
  })
  expect(reply.first_chunk_ms).toBeGreaterThanOrEqual(0)
  expect(seen).toEqual(['one ', 'two ', 'three'])
})

test('each source file knows where it is', () =>
  check('./agents.ts#where', {
    content: new URL('../../../test/fixtures/modules/nested/here.ts', import.meta.url).href,
    tool_calls: [],
    tool_evidence: 'unknown',
  }))

test('what it throws is an agent error with the place in the source', async () => {
  const error = await failure((await agent('./agents.ts#fails')).send(agentRequest('')))
  const line = readFileSync(join(cwd, 'agents.ts'), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('TypeError'))
  expect(error).toMatchObject({
    code: 'failed',
    message: 'TypeError: x is not a function',
    hint: `at agents.ts:${line + 1}:9`,
  })
})

test('the status an SDK puts on its error decides whether it is transient', async () => {
  const error = await failure((await agent('./agents.ts#limited')).send(agentRequest('')))
  expect(error).toMatchObject({ code: 'rate_limit', transient: true, message: 'slow down' })
})

test('abort ends the wait, with what had come', async () => {
  for (const [name, partial] of [
    ['never', ''],
    ['stuck', 'half'],
  ]) {
    const controller = new AbortController()
    const loaded = await agent(`./agents.ts#${name}`)
    const seen = new Promise<void>((resolve) => (name === 'stuck' ? undefined : resolve()))
    const onChunk = () => controller.abort(new Error('timeout after 1s'))
    const pending = failure(loaded.send(agentRequest('', { signal: controller.signal, onChunk })))
    if (name === 'never') {
      await seen
      controller.abort(new Error('timeout after 1s'))
    }
    expect(await pending).toMatchObject({ code: 'timeout', message: 'timeout after 1s', partial: { content: partial } })
  }
})

test('a missing file, export or package says what there is instead', async () => {
  const missing = await failure(agent('./agent.ts'))
  expect(missing).toBeInstanceOf(UserError)
  expect(missing).toMatchObject({ code: 'MODULE_NOT_FOUND', hint: 'did you mean agents.ts?' })
  expect(await failure(agent('./agents.ts#repyl'))).toMatchObject({
    code: 'UNKNOWN_EXPORT',
    hint: expect.stringMatching(/did you mean #reply\? it exports: chunks, default, fails/),
  })
  expect(await failure(agent('./agents.ts#notAFunction'))).toMatchObject({ code: 'UNKNOWN_EXPORT' })
  expect(await failure(agent('./needs-package.ts'))).toMatchObject({
    code: 'MODULE_FAILED',
    hint: 'install it where the module is: npm install no-such-package-anywhere',
  })
})

test('a syntax error has file and line', async () => {
  expect(await failure(agent('./broken.ts'))).toMatchObject({
    code: 'MODULE_SYNTAX',
    problems: [{ line: 2, file: expect.stringContaining('broken.ts') }],
  })
})

test('nothing compiled is left on disk', async () => {
  await agent('./agents.ts')
  const folder = fileURLToPath(new URL('../../../node_modules/.viva', import.meta.url))
  expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('agents.ts')) : []).toEqual([])
})

test('where node_modules cannot be written, packages are found all the same, also late and further up', async () => {
  const root = makeFolder({
    'node_modules/far/package.json': { name: 'far', type: 'module', exports: './index.js' },
    'node_modules/far/index.js': 'export const far = "far"',
    'app/node_modules/near/package.json': { name: 'near', type: 'module', exports: './index.js' },
    'app/node_modules/near/index.js': 'export const near = "near"',
    // Stands in for a folder of another user: root may write everywhere.
    'app/node_modules/.viva': 'a file',
    'app/agent.ts': `import { near } from 'near'
export default async (): Promise<string> => near + ' ' + (await import('far')).far`,
  })
  const loaded = await createModuleAgent('./agent.ts', { cwd: join(root, 'app'), modules })
  expect(await loaded.send(agentRequest('x'))).toMatchObject({ content: 'near far' })
})
