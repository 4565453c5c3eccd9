// Calls of an MCP server: both kinds of content, a session that lasts for all turns of a case, errors that are expected.
import assert from 'node:assert/strict'
import { mustPass, viva } from '../support/viva.mjs'

const server = 'mcp:node server.mjs'
const { results } = await mustPass(import.meta.url, ['-i', 'tests/calls.jsonl', '-n', server], 5)
const [call] = results['finds-by-author'].tool_calls
assert.deepEqual(call.args, { word: 'ende' })
assert.deepEqual(call.result.structuredContent, results['finds-by-author'].output)

// The same tools, chosen by a model: scripted here, `-c openai:MODEL` elsewhere. A clearer description finds the third task its tool.
const route = ['-i', 'tests/routing.jsonl', '-n', server, '-c', 'scripted']
const own = await viva(import.meta.url, route)
assert.deepEqual([own.code, own.summary.failed_ids], [1, ['takes-back']], own.output)
const [{ right, matrix }] = own.summary.choices
assert.equal(right, 3)
assert.deepEqual(
  matrix.filter(({ expected, taken }) => expected !== taken),
  [{ expected: 'return_book', taken: null, runs: 1 }],
)
const both = await viva(import.meta.url, [...route, '--descriptions', 'clear.json', '--gate', 'none'])
assert.deepEqual(
  both.summary.variants.map(({ name, passed }) => [name, passed]),
  [
    ['own', 3],
    ['clear', 4],
  ],
  both.output,
)
