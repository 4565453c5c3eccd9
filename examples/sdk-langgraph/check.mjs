// A graph: answers, tool calls with their results, usage of all calls.
import assert from 'node:assert/strict'
import { startModel } from '../support/model.mjs'
import { mustPass, viva } from '../support/viva.mjs'

const model = await startModel()
try {
  const args = ['-i', 'tests/cases.jsonl', '-n', './agent.ts#weatherAgent']
  const { results } = await mustPass(import.meta.url, args, 4, { MODEL_URL: model.url })
  const [call] = results['uses-the-tool'].tool_calls
  assert.deepEqual(call.args, { city: 'Ulm' })
  assert.equal(call.result, 'fog')
  assert.equal(results.answers.finish_reason, 'stop')
  assert.equal(results['uses-the-tool'].usage.total_tokens, 56)
  const { code, results: failing } = await viva(import.meta.url, ['-i', 'tests/fails.jsonl', '-n', './agent.ts#weatherAgent'], { MODEL_URL: model.url })
  assert.equal(code, 1)
  assert.deepEqual(failing['forgets-the-tool'].turns.map(({ status }) => status), ['passed', 'passed', 'failed'])
} finally {
  model.stop()
}
