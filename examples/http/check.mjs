// The same cases against both endpoints, and what a wrong address says.
import assert from 'node:assert/strict'
import { mustPass, startServer, viva } from '../support/viva.mjs'

const server = await startServer(import.meta.url, 'server.mjs')
try {
  const env = { DESK_PORT: server.port }
  for (const name of ['desk', 'chat']) {
    const { results, summary } = await mustPass(import.meta.url, ['-i', 'tests/cases.jsonl', '-n', name], 3, env)
    assert.deepEqual(results['opens-a-ticket'].tool_calls[0].args, { thing: 'printer' })
    assert.equal(summary.usage.total_tokens, 48)
    if (name === 'chat') assert.equal(typeof results.greets.first_chunk_ms, 'number')
  }
  // Without the header of viva.config.mjs the desk refuses, and the message says what the server said.
  const refused = await viva(import.meta.url, ['-i', 'Hello', '-n', `http://127.0.0.1:${server.port}/desk`], env)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /HTTP 403 .*say which desk you mean/)
} finally {
  server.stop()
}
