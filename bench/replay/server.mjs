// The model: speaks as the agent, the user or the judge, by what it is asked.
import { serveJson } from '../support/json-server.mjs'

serveJson(0, (_path, { messages }) => {
  const last = String(messages.at(-1).content)
  const message = { role: 'assistant', content: answerTo(last) }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  return { choices: [{ message, finish_reason: 'stop' }], usage }
})

function answerTo(last) {
  if (last.includes('<data-')) return '{"passed": true, "score": 1, "reason": "it is kind"}'
  if (!last.includes('"test_mode":"simulator"')) return `You said: ${last}`
  const turn = JSON.parse(last).turn_number
  return turn > 3 ? '{"goal_achieved": true}' : JSON.stringify({ input: `and then, ${turn}?` })
}
