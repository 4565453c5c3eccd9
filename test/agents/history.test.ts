// `options.history`: from the second turn on, agents receive what they returned before, with what messages do not hold.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runCase, type ResultEvent } from '../../src/index.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** Says what its options contain; what it returns has a field that no message has. */
const answer = (options: { history?: unknown }): object => ({
  content: JSON.stringify(options.history ?? 'none'),
  tool_calls: [],
  thought: 'unspoken',
})
const AGENT = `
const answer = ${String(answer)}
export const run = (messages, ctx, options) => answer(options)
export async function* streamed(messages, ctx, { history }) { yield 'heard '; yield String(history?.length ?? 0) }
export class Own { constructor() { this.content = 'own' } think() { return 'unspoken' } }
export const own = (messages, ctx, { history }) => history ? { content: history.map((one) => one.think()), tool_calls: [] } : new Own()
if (process.argv[2] === 'program') {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  console.log(JSON.stringify(answer(JSON.parse(text).options)))
}`

const CASE = { id: 'chat', turns: [{ input: 'one' }, { input: 'two' }, { input: 'three' }] }
const FIRST = { content: '"none"', tool_calls: [], thought: 'unspoken' }
const SECOND = { ...FIRST, content: JSON.stringify([FIRST]) }
const OUTPUTS = ['"none"', JSON.stringify([FIRST]), JSON.stringify([FIRST, SECOND])]

async function outputs(agent: string, testCase: object = CASE): Promise<unknown[]> {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [testCase] })
  const { stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '--json'], { cwd })
  const [result] = parseEvents(stdout).filter(({ type }) => type === 'result') as unknown as ResultEvent[]
  expect(result?.error, stderr).toBeUndefined()
  return result?.turns?.map(({ output }) => output) ?? []
}

test.each(['./agent.mjs#run', 'exec:node agent.mjs program'])('%s', async (agent) => {
  expect(await outputs(agent)).toEqual(OUTPUTS)
})

test('a JSON endpoint', async () => {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => response.end(JSON.stringify(answer(JSON.parse(text).options))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  expect(await outputs(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`)).toEqual(OUTPUTS)
})

test('a function in this process', async () => {
  const result = await runCase(CASE, (_messages, _context, options) => answer(options))
  expect(result.turns?.map(({ output }) => output)).toEqual(OUTPUTS)
})

test('an object of its own comes back as that object, a stream as what it came to', async () => {
  const two = { id: 'two', turns: [{ input: 'one' }, { input: 'two' }] }
  expect(await outputs('./agent.mjs#own', two)).toEqual(['own', ['unspoken']])
  expect(await outputs('./agent.mjs#streamed', two)).toEqual(['heard 0', 'heard 1'])
})

test('options of a case keep their own `history`', async () => {
  const own = { ...CASE, options: { history: ['mine'] } }
  expect(await outputs('./agent.mjs#run', own)).toEqual(OUTPUTS.map(() => '["mine"]'))
})
