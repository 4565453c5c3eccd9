// Many conversations at once, with an agent and a simulated user on a loopback server: none hears a word of another.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const CASES = 40
const TURNS = 5
const PARALLEL = 20

interface Said {
  role: string
  content: string
}

/** Both sides answer out of turn: the first to ask is often the last to be answered. */
async function startServer(): Promise<{ url: string; most: () => number }> {
  let open = 0
  let most = 0
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      open += 1
      most = Math.max(most, open)
      const content = request.url === '/user' ? user(body.options.metadata) : agent(body.messages)
      setTimeout(
        () => {
          open -= 1
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ content }))
        },
        (open * 7) % 11,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, most: () => most }
}

interface Body {
  messages: Said[]
  options: { metadata: { test_id: string; turn_number: number; conversation: Said[]; last_response: string } }
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Body
}

function agent(messages: Said[]): string {
  const [id = ''] = messages[0]?.content.split(' ') ?? []
  const foreign = messages.find((message) => !message.content.startsWith(`${id} `))
  return foreign ? `mixed: ${foreign.content}` : `${id} heard ${messages.filter(({ role }) => role === 'user').length}`
}

function user({ test_id, turn_number, conversation, last_response }: Body['options']['metadata']): string {
  const foreign = conversation.find((message) => !message.content.startsWith(`${test_id} `))
  const heard = turn_number === 1 ? '' : `${test_id} heard ${turn_number - 1}`
  const input = foreign || last_response !== heard ? `mixed: ${last_response}` : `${test_id} says ${turn_number}`
  return JSON.stringify({ input, goal_achieved: false })
}

test('transcripts are never mixed, whatever the order of answers', async () => {
  const { url, most } = await startServer()
  const cases = Array.from({ length: CASES }, (_, index) => ({
    id: `C${index}`,
    simulator: {},
    checkpoints: [{ id: 'last', assertion: { type: 'equals', value: `C${index} heard ${TURNS}` } }],
    max_turns: TURNS,
  }))
  const cwd = makeFolder({ 'cases.jsonl': cases })
  const where = ['-n', `${url}/agent`, '--simulator', `${url}/user`]
  const run = await viva(['test', '-i', 'cases.jsonl', ...where, '--parallel', String(PARALLEL), '--json'], { cwd })
  expect(run.code, run.stderr).toBe(0)
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results).toHaveLength(CASES)
  for (const { id, turns } of results as unknown as Array<{ id: string; turns: Array<Record<string, unknown>> }>) {
    expect(turns.map(({ input, output }) => `${String(input)} → ${String(output)}`)).toEqual(
      Array.from({ length: TURNS }, (_, index) => `${id} says ${index + 1} → ${id} heard ${index + 1}`),
    )
  }
  expect(most()).toBeGreaterThan(1)
  expect(most()).toBeLessThanOrEqual(PARALLEL)
})
