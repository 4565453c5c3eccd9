// `claims` from the command line: an agent that says "done" and did nothing, and one that did.
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

async function run(reply: string, more: object = { assert: { type: 'claims' } }) {
  const cwd = makeFolder({
    'agent.mjs': `export default (messages) => (${reply})`,
    'cases.jsonl': [{ id: 'T1', input: 'Cancel order AB1234, please.', ...more }],
  })
  const { code, stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd })
  return { code, text: stdout + stderr }
}

const SAID = `content: "I've cancelled order AB1234."`
const CALL = `name: 'cancel_order', args: { id: 'AB1234' }`

test('nothing was done', async () => {
  const { code, text } = await run(`{ ${SAID}, tool_calls: [] }`)
  expect(code).toBe(1)
  expect(text).toContain(`"I've cancelled order AB1234" is unbacked (no call did this)`)
})

test('it was done', async () => {
  expect((await run(`{ ${SAID}, tool_calls: [{ ${CALL}, result: 'ok' }] }`)).code).toBe(0)
})

test('it was tried', async () => {
  const { code, text } = await run(`{ ${SAID}, tool_calls: [{ ${CALL}, error: 'it has shipped' }] }`)
  expect(code).toBe(1)
  expect(text).toContain('is contradicted (cancel_order returned an error: it has shipped)')
})

test('whether it was done cannot be seen: an error, not a pass', async () => {
  const { code, text } = await run(`{ ${SAID} }`)
  expect(code).not.toBe(0)
  expect(text).toContain('is not known: the agent does not report its tool calls')
})

test('what was found in an earlier turn backs a later one', async () => {
  const reply = `messages.length === 1
    ? { content: 'It costs $42.50.', tool_calls: [{ name: 'get_order', args: {}, result: { price: 42.5 } }] }
    : { content: 'As I said, $42.50, not $52.50.', tool_calls: [] }`
  const turns = (value: string) => ({
    input: undefined,
    turns: [{ input: 'What does it cost?' }, { input: 'Sure?', assert: { type: 'claims', only: [value] } }],
  })
  expect((await run(reply, turns('dates'))).code).toBe(0)
  const { code, text } = await run(reply, turns('numbers'))
  expect(code).toBe(1)
  expect(text).toContain('"$52.50" is')
  expect(text).not.toContain('"$42.50" is')
})

test('an option that does not exist is refused when the case is loaded', async () => {
  const { code, text } = await run(`{ ${SAID} }`, { assert: { type: 'claims', only: ['figures'] } })
  expect(code).toBe(2)
  expect(text).toContain('only')
})

test('what was claimed is said once, without a dump of data', async () => {
  const { code, text } = await run(`{ content: "I've cancelled order AB1234 and refunded $30.", tool_calls: [] }`)
  expect(code).toBe(1)
  expect(text).toContain(`"I've cancelled order AB1234" is unbacked (no call did this); "refunded $30" is unbacked`)
  expect(text).not.toContain('"verdict"')
})

test('an answer in another language is an error, not a pass', async () => {
  const reply = `{ content: 'Ich habe Ihre Bestellung AB1234 storniert.', tool_calls: [] }`
  const { code, text } = await run(reply)
  expect(code).not.toBe(0)
  expect(text).toContain('the answer does not seem to be in English')
  expect((await run(reply, { assert: { type: 'claims', only: ['ids'] } })).code).toBe(0)
})
