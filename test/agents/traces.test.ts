// What a result keeps of an agent's steps: what models were sent and answered, tools, hooks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const SECRET = 'wq7Zt4LmX09sKpR2vBn8'
const RULES = 'Never promise a day of delivery. '.repeat(30)

const APP: Files = {
  'app.yao': {},
  'assistants/desk/package.yao': { name: 'Desk', connector: 'scripted' },
  'assistants/desk/prompts.yml': `- role: system\n  content: "${RULES} Key: $ENV.DESK_API_KEY"\n`,
  'assistants/desk/src/index.ts': 'export function Next() { return { metadata: { done: true } } }\n',
  'connectors/scripted.conn.yao': {
    type: 'mock',
    options: { responses: ['First answer.', 'Second answer.'] },
  },
  'cases.jsonl': [
    { id: 'one', input: 'Where is it?', assert: { type: 'contains', value: 'First' } },
    { id: 'two', turns: [{ input: 'Hello' }, { input: 'And now?' }] },
    { id: 'three', input: 'Again' },
  ],
}

async function run(args: string[] = [], files: Files = {}) {
  const cwd = makeFolder({ ...APP, ...files })
  const given = ['test', '-i', 'cases.jsonl', '-n', 'desk', '-o', 'run.jsonl', ...args]
  const { code, stdout, stderr } = await viva(given, { cwd, env: { DESK_API_KEY: SECRET } })
  const text = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
  return { cwd, code, text, events: parseEvents(text), said: stdout + stderr }
}

test('model calls with what was sent and received; a long prompt once in the run, secrets hidden', async () => {
  const { events, text, said } = await run()
  const prompts = events.filter((event) => event.type === 'prompt')
  expect(prompts, said).toHaveLength(1)
  expect(prompts[0]?.['text']).toContain('Never promise a day of delivery.')
  expect(text + said).not.toContain(SECRET)
  const traceOf = (id: string) => events.find((event) => event.type === 'result' && event['id'] === id)?.['trace']
  const prompt = { role: 'system', prompt: prompts[0]?.['id'] }
  expect(traceOf('one')).toMatchObject([
    {
      kind: 'model',
      sent: [prompt, { role: 'user', content: 'Where is it?' }],
      received: { content: 'First answer.', finish_reason: 'stop' },
    },
    { kind: 'hook', name: 'Next', returned: { metadata: { done: true } } },
  ])
  // The second turn sends the first again.
  expect(traceOf('two')).toMatchObject([
    { sent: [prompt, { content: 'Hello' }], received: { content: 'First answer.' } },
    { kind: 'hook' },
    { sent: [{ role: 'user', content: 'And now?' }], sent_before: 3, received: { content: 'Second answer.' } },
    { kind: 'hook' },
  ])
  const order = events.map((event) => event.type)
  expect(order.indexOf('prompt')).toBeLessThan(order.indexOf('result'))
})

test('recorded answers keep the steps, without the prompt that only the other file has', async () => {
  const { cwd } = await run()
  const again = ['test', '-i', 'cases.jsonl', '-n', 'recorded:run.jsonl', '--json']
  const { stdout, stderr } = await viva(again, { cwd })
  const [first] = parseEvents(stdout).filter((event) => event.type === 'result')
  expect(first?.['trace'], stderr).toMatchObject([
    { kind: 'model', sent: [{ role: 'user', content: 'Where is it?' }], received: { content: 'First answer.' } },
    { kind: 'hook' },
  ])
})

test('shards that are merged keep their prompts', async () => {
  const { cwd } = await run(['--shard', '1/2', '--run-group', 'g'])
  const second = ['test', '-i', 'cases.jsonl', '-n', 'desk', '-o', 'b.jsonl', '--shard', '2/2', '--run-group', 'g']
  await viva(second, { cwd, env: { DESK_API_KEY: SECRET } })
  const merged = await viva(['merge', 'run.jsonl', 'b.jsonl', '-o', 'all.jsonl'], { cwd })
  const events = parseEvents(readFileSync(join(cwd, 'all.jsonl'), 'utf8'))
  const known = new Set(events.filter((event) => event.type === 'prompt').map((event) => event['id']))
  expect(known.size, merged.stderr).toBe(1)
  expect(JSON.stringify(events)).toContain(`"prompt":"${String([...known][0])}"`)
})

test('a model that fails still shows what it was sent', async () => {
  const connectors = {
    'connectors/scripted.conn.yao': { type: 'mock', options: { responses: [{ error: 'overloaded' }] } },
  }
  const { events } = await run(['--retries', '0'], connectors)
  const [first] = events.filter((event) => event.type === 'result')
  expect(first).toMatchObject({ status: 'failed', error_kind: 'agent' })
  expect(first?.['trace']).toMatchObject([
    { kind: 'model', error: 'overloaded', sent: [{ role: 'system' }, { role: 'user' }] },
    { kind: 'hook' },
  ])
})
