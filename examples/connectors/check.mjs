// The same cases through every connector: the same answers, tool calls, usage and cost; keys where they belong, and nowhere else.
import assert from 'node:assert/strict'
import { startModel } from '../support/model.mjs'
import { mustPass } from '../support/viva.mjs'

const keys = { OPENAI_API_KEY: 'key-openai-1', ANTHROPIC_API_KEY: 'key-anthropic-1', GEMINI_API_KEY: 'key-gemini-1', GROQ_API_KEY: 'key-groq-1' }
const ways = [
  ['openai.small', '/v1/chat/completions', (headers) => headers.authorization === 'Bearer key-openai-1'],
  ['anthropic.small', '/v1/messages', (headers) => headers['x-api-key'] === 'key-anthropic-1'],
  ['google.small', '/v1beta/models/gemini-flash:streamGenerateContent?alt=sse', (headers) => headers['x-goog-api-key'] === 'key-gemini-1'],
  ['groq', '/v1/chat/completions', (headers) => headers.authorization === 'Bearer key-groq-1'],
]

const model = await startModel()
try {
  for (const [connector, path, hasKey] of ways) {
    model.requests.length = 0
    const args = ['-i', 'assistants/weather/tests/cases.jsonl', '-c', connector]
    const { results, summary, output } = await mustPass(import.meta.url, args, 2, { ...keys, MODEL_URL: model.url })
    assert.deepEqual(results['uses-the-tool'].tool_calls[0].result, { city: 'Ulm', sky: 'fog' })
    // Three calls of 20 tokens in and 8 out, at 1 and 2 dollars per million.
    assert.deepEqual(summary.usage, { input_tokens: 60, output_tokens: 24, total_tokens: 84 })
    assert.equal(summary.cost_dollars.toFixed(6), '0.000108')
    assert.equal(model.requests.length, 3)
    assert.ok(model.requests.every((request) => request.path === path && hasKey(request.headers)), `${connector}: ${model.requests[0].path}`)
    assert.doesNotMatch(output + JSON.stringify(results), /key-\w+-1/)
  }
} finally {
  model.stop()
}
