// Tool calls with their results, permission, and a session that lasts for all turns of a case.
import assert from 'node:assert/strict'
import { mustPass } from '../support/viva.mjs'

const { results } = await mustPass(import.meta.url, ['-i', 'tests/cases.jsonl', '-n', 'acp:node agent.mjs'], 2)
const [call] = results.lists.tool_calls
assert.equal(call.name, 'list_files')
assert.deepEqual(call.result, { files: ['agent.mjs', 'check.mjs'] })
