// Hooks, a preset, a locale, a process tool, a real MCP server, a delegate, and a tool replaced for the test.
import assert from 'node:assert/strict'
import { mustPass } from '../support/viva.mjs'

const { results, output } = await mustPass(import.meta.url, ['-i', 'assistants/shop/desk/tests/cases.jsonl', '-v'], 6)
const result = (id) => results[id].tool_calls[0].result
assert.deepEqual(result('finds-an-order'), { number: 7, state: 'packed' })
assert.deepEqual(result('counts-the-stock'), { article: 'tea', count: 3 })
assert.deepEqual(result('cancels-nothing-in-tests'), { number: 7, state: 'cancelled' })
assert.equal(results['tells-of-a-failed-tool'].tool_calls[0].error, 'no such order')
assert.deepEqual(
  results['finds-an-order'].trace.map((step) => `${step.kind} ${step.name}`),
  ['hook Create', 'model mock', 'tool orders__find', 'model mock', 'hook Next'],
)
assert.match(output, /· \S+ hook Create .*\n  · \S+ model mock .*\n  · \S+ tool orders__find /)
