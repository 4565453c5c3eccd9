// An endpoint that turns most of a burst away loses no case, and none is asked twice. How long it takes: bench/rate-limit.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

const CASES = 60
const AT_ONCE = 5
const SPAN_MS = 100

/** Takes `AT_ONCE` requests in any `SPAN_MS`; says when to come again, as OpenAI does. */
async function startLimited() {
  const answered: string[] = []
  let refused = 0
  let taken: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => (body += data))
    request.on('end', () => {
      const now = performance.now()
      taken = taken.filter((at) => at > now - SPAN_MS)
      const isTaken = taken.length < AT_ONCE
      response.writeHead(isTaken ? 200 : 429, {
        'content-type': 'application/json',
        ...(!isTaken && { 'retry-after-ms': String(SPAN_MS) }),
      })
      if (!isTaken) {
        refused++
        return response.end('{"error": {"type": "rate_limit_error", "message": "slow down"}}')
      }
      taken.push(now)
      const { messages } = JSON.parse(body) as { messages: Array<{ content: string }> }
      const said = messages.at(-1)?.content ?? ''
      answered.push(said)
      response.end(JSON.stringify({ choices: [{ message: { content: `you said ${said}` }, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, answered, refused: () => refused }
}

test.each(['a package', 'a URL'])('%s: all pass, none is lost, none is answered twice', async (kind) => {
  const { url, answered, refused } = await startLimited()
  const cwd = makeFolder({
    'app.yao': {},
    'connectors/limited.conn.yao': { type: 'openai', options: { model: 'm', host: url } },
    'assistants/a/package.yao': { name: 'A', connector: 'limited' },
    'assistants/a/prompts.yml': '- role: system\n  content: Hi.\n',
    'cases.jsonl': Array.from({ length: CASES }, (_, i) => ({
      id: `C${i}`,
      input: `call ${i}`,
      assert: { type: 'equals', value: `you said call ${i}` },
    })),
  })
  const name = kind === 'a URL' ? `${url}/v1` : 'a'
  const { code, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', name, '--parallel', '30', '--json'], { cwd })
  const events = parseEvents(stdout)
  expect(code, stdout.slice(-1000)).toBe(0)
  expect(events.at(-1)).toMatchObject({ type: 'summary', passed: CASES, failed: 0 })
  expect(answered.toSorted()).toEqual(Array.from({ length: CASES }, (_, i) => `call ${i}`).toSorted())
  expect(refused()).toBeGreaterThan(0)
  // A wait for the limit is not flakiness, but it is on record.
  const retries = events.flatMap((event) => (typeof event['api_retries'] === 'number' ? [event['api_retries']] : []))
  expect(retries.reduce((sum, count) => sum + count, 0)).toBe(refused())
  expect(events.some((event) => event['flaky'])).toBe(false)
  // Nor is it time of the agent's: no step took longer than its case.
  for (const event of events.filter(({ type }) => type === 'result')) {
    const { duration_ms, trace = [] } = event as { duration_ms?: number; trace?: Array<{ duration_ms: number }> }
    for (const step of trace) expect(step.duration_ms).toBeLessThanOrEqual((duration_ms ?? 0) + 1)
  }
})
