// Calls of an MCP server: both kinds of content, a session that lasts for all turns of a case, errors that are expected.
import assert from 'node:assert/strict'
import { mustPass } from '../support/viva.mjs'

const server = 'mcp:node server.mjs'
const { results } = await mustPass(import.meta.url, ['-i', 'tests/calls.jsonl', '-n', server], 5)
const [call] = results['finds-by-author'].tool_calls
assert.deepEqual(call.args, { word: 'ende' })
assert.deepEqual(call.result.structuredContent, results['finds-by-author'].output)
