// A run and a streamed run: the same cases, the same tool calls and usage.
import assert from 'node:assert/strict'
import { startModel } from '../support/model.mjs'
import { mustPass, viva } from '../support/viva.mjs'

const model = await startModel()
try {
  for (const name of ['whole', 'streamed']) {
    const args = ['-i', 'tests/cases.jsonl', '-n', `./agent.ts#${name}`]
    const { results } = await mustPass(import.meta.url, args, 4, { MODEL_URL: model.url })
    const [call] = results['uses-the-tool'].tool_calls
    assert.deepEqual(call.args, { city: 'Ulm' })
    assert.equal(call.result, 'fog')
    assert.equal(results['uses-the-tool'].usage.total_tokens, 56)
    if (name === 'streamed') assert.equal(typeof results.answers.first_chunk_ms, 'number')
    const { code, results: failing } = await viva(import.meta.url, ['-i', 'tests/fails.jsonl', '-n', `./agent.ts#${name}`], { MODEL_URL: model.url })
    assert.equal(code, 1)
    assert.deepEqual(failing['forgets-the-tool'].turns.map(({ status }) => status), ['passed', 'passed', 'failed'])
  }
} finally {
  model.stop()
}
