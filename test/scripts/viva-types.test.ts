// What `viva init --types` writes: scripts compile with it, and it knows every assertion.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assertionsByType } from '../../src/pipeline/assert/registry.js'
import { ROOT } from '../support/run-cli.js'
import { runBody } from '../support/script-app.js'

const VIVA_TYPES = readFileSync(join(ROOT, 'templates/viva.d.ts'), 'utf8')

/** The compiler's complaints about a script that has nothing but these types. */
function complaints(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'viva-types-'))
  try {
    writeFileSync(join(folder, 'viva.d.ts'), VIVA_TYPES)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{"compilerOptions":{"strict":true,"noImplicitAny":false,"noEmit":true,"lib":["es2023"],"types":[]}}',
    )
    cpSync(
      join(ROOT, 'test/fixtures/scripts/seed-003/assistants/expense/src/response_test.ts'),
      join(folder, 'response_test.ts'),
    )
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
    return ''
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a script with every name compiles', () => {
  expect(
    complaints({
      'a_test.ts': `
function SystemReady(ctx: agent.Context) { return ctx.User !== null }
function TestA(t: testing.T, ctx: agent.Context) {
  const { assert } = t
  assert.True(SystemReady(ctx), 'ready'); ctx.User = null; ctx.Metadata.x = 1
  t.Log('x'); t.mock('models.user.Find', (id: number) => ({ id })); t.mock('x', 1)
  assert.Equal(t.calls.length, 1); assert.Panic(() => { throw new Exception('no', 400) })
  assert.Agent('x', 'y', { metadata: { criteria: 'z' } })
  assert.Check('x', 'exit_code'); assert.Check({ output: 1, tool_calls: [] }, [{ type: 'tool_called', name: 'x', times: { min: 1 } }])
  ctx.memory.chat.Set('k', 1); ctx.memory.user.get('k'); ctx.mcp.CallTool('s', 't', {}); ctx.agent.Call('a', 'hi')
  agent.Call({ agent: 'a', messages: [] }, ctx); http.Get('http://x').data; http.Post('http://x', {}).status
  log.Info('%s', 1); time.Sleep(1); FS('system').ReadFile('x'); new Store('s').Incr('n'); Authorized()?.user_id; $L('x')
  if (t.failed) t.fatal('stop')
}
async function TestB(t: TestingT) { await t.assert.Panic(async () => {}); await t.run('sub', async (t) => { t.skip() }) }
function Create(ctx: agent.Context, messages: agent.Message[]): agent.CreateResponse | null {
  return messages[0].content === 'x' ? { delegate: { agent_id: 'y' } } : { temperature: 0, prompt_preset: 'chat.friendly' }
}
function Next(ctx: agent.Context, payload: agent.NextPayload): agent.NextResponse | null {
  return { data: [payload.completion?.content, payload.tools.map((tool) => tool.error), payload.error] }
}
async function TestMain(m: testing.M) { await m.run() }
`,
      'b_test.ts': `import { Process as Call } from '@yao/runtime'\nexport function TestC(t: testing.T) { Call('x') }`,
    }),
  ).toBe('')
}, 60_000)

test('a mistake is found', () => {
  expect(complaints({ 'a_test.ts': `function TestA(t: testing.T) { t.assert.Equals(1, 1) }` })).toContain(
    "Property 'Equals' does not exist",
  )
}, 60_000)

test('every assertion there is has a type, and the other way round', async () => {
  const { outcome } = await runBody(`t.log(Object.keys(t.assert).filter((name) => /^[A-Z]/.test(name)).sort().join())`)
  const declared = /interface Assert \{([\s\S]*?)\n {2}\}/.exec(VIVA_TYPES)?.[1] ?? ''
  const names = [...new Set([...declared.matchAll(/^ {4}([A-Z]\w+)\(/gm)].map((match) => String(match[1])))]
  expect(outcome.logs[0]).toBe(names.toSorted().join())
  expect(names).toHaveLength(23)
})

test('every type of assertion is known to Check', () => {
  const declared = /type AssertionType =\n((?: {4}\| '\w+'\n)+)/.exec(VIVA_TYPES)?.[1] ?? ''
  const types = [...declared.matchAll(/'(\w+)'/g)].map((match) => String(match[1]))
  expect(types.toSorted()).toEqual([...assertionsByType.keys()].toSorted())
})
