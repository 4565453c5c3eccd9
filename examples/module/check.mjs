// A function that returns text, one that returns a reply, one that returns chunks.
import assert from 'node:assert/strict'
import { mustPass } from '../support/viva.mjs'

await mustPass(import.meta.url, ['-i', 'tests/greet.jsonl', '-n', './agent.ts#greet'], 2)
await mustPass(import.meta.url, ['-i', 'tests/german.jsonl', '-n', './agent.ts#greet', '--locale', 'de-de'], 1)

const order = await mustPass(import.meta.url, ['-i', 'tests/order.jsonl', '-n', './agent.ts#order'], 1)
assert.equal(order.results.tea.turns[0].awaiting_reason, 'agent_declared')
assert.equal(order.results.tea.turns[1].tool_calls[0].result, 'done')
assert.equal(order.summary.usage.total_tokens, 32)
assert.equal(order.summary.cost_dollars, 0.004)

const tell = await mustPass(import.meta.url, ['-i', 'tests/tell.jsonl', '-n', './agent.ts#tell'], 1)
assert.equal(tell.summary.usage.output_tokens, 4)
assert.equal(typeof tell.results.story.first_chunk_ms, 'number')
