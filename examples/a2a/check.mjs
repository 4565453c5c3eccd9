// One task that is done at once, one that waits for input and is continued by the next turn.
import assert from 'node:assert/strict'
import { mustPass, startServer } from '../support/viva.mjs'

const server = await startServer(import.meta.url, 'server.mjs')
try {
  const { results } = await mustPass(import.meta.url, ['-i', 'tests/cases.jsonl', '-n', `a2a:http://127.0.0.1:${server.port}`], 2)
  assert.equal(results['asks-for-the-day'].turns[0].awaiting_input, true)
  assert.equal(results.books.output, 'Booked for Monday.')
} finally {
  server.stop()
}
