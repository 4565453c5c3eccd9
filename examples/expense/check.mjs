// Single answers, a conversation, and the tests of the agent's own functions.
import assert from 'node:assert/strict'
import { mustPass } from '../support/viva.mjs'

await mustPass(import.meta.url, ['-i', 'tests/inputs.jsonl'], 6)

const { results } = await mustPass(import.meta.url, ['-i', 'tests/conversation.jsonl'], 1)
assert.deepEqual(results.reimbursement.turns.map((turn) => turn.status), ['passed', 'passed', 'passed'])
assert.deepEqual(results.reimbursement.turns[1].tool_calls[0].args, { amount: 3500, type: 'travel', items: ['flight', 'hotel'] })

const scripts = await mustPass(import.meta.url, ['-i', 'scripts.expense.setup'], 5)
assert.equal(scripts.summary.failed, 0)
