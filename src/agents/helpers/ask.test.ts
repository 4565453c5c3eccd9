// How helpers are called: data twice, their own conversation, clear errors.
import { expect, test } from 'vitest'
import { agentRequest, failure } from '../../../test/support/agent-request.js'
import { ScriptedAgent, sentText, type Reply } from '../../../test/support/scripted-conversation.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import { HelperLedger } from '../../model/helper-cost.js'
import type { HelperCall } from '../../model/helper.js'
import { CancelledError } from '../../time/deadline.js'
import { createAsk, type AskParts } from './ask.js'
import { reporterAgentText } from './reporter-agent.js'

const { signal } = new AbortController()

function parts(agent: Agent, over: Partial<AskParts> = {}): AskParts {
  return {
    resolveAgent: async () => agent,
    callScript: () => Promise.reject(new Error('no script')),
    origin: { case_id: 'T001', run: 1, attempt: 1 },
    ledger: new HelperLedger(),
    contextFor: (role) => ({ ...agentRequest('').context, chat_id: `${role}-T001-1`, referer: 'test' }),
    ...over,
  }
}

function call(over: Partial<HelperCall> = {}): HelperCall {
  return { role: 'simulator', use: 'agents:workers.sim', test_id: 'T001', data: { turn_number: 3 }, signal, ...over }
}

async function askOnce(
  reply: Reply,
  over: Partial<HelperCall> = {},
): Promise<{ answer: unknown; agent: ScriptedAgent }> {
  const agent = new ScriptedAgent([reply])
  return { answer: await createAsk(parts(agent))(call(over)), agent }
}

test('the data goes as metadata and as the JSON text of one user message', async () => {
  const { agent } = await askOnce('hi', { options: { connector: 'c', metadata: { persona: 'New', turn_number: 99 } } })
  const data = { persona: 'New', turn_number: 3, test_mode: 'simulator', test_id: 'T001' }
  const [request] = agent.requests
  expect(request?.options).toEqual({ connector: 'c', skip: { history: true }, metadata: data })
  expect(request?.messages).toHaveLength(1)
  expect(request?.messages[0]?.role).toBe('user')
  expect(JSON.parse(sentText(agent))).toEqual(data)
  expect(request?.context).toMatchObject({ referer: 'agent-test', assistant_id: 'scripted', metadata: data })
})

test('a prepared text or messages replace the JSON text, the metadata stays', async () => {
  const texted = await askOnce('hi', { text: 'judge this' })
  expect(texted.agent.requests[0]?.messages).toEqual([{ role: 'user', content: 'judge this' }])
  expect(texted.agent.requests[0]?.options.metadata).toMatchObject({ turn_number: 3 })
  const messages = [{ role: 'user', content: 'a' }]
  const messaged = await askOnce('hi', { messages })
  expect(messaged.agent.requests[0]?.messages).toEqual(messages)
})

test('calls of one role in one run share a conversation', async () => {
  const agent = new ScriptedAgent(['hi'])
  const ask = createAsk(parts(agent))
  await ask(call())
  await ask(call())
  await ask(call({ role: 'validator' }))
  const ids = agent.requests.map((request) => request.context.chat_id)
  expect(ids[0]).toBe(ids[1])
  expect(ids[2]).not.toBe(ids[0])
})

test('the answer is the Next data, the content, or the arguments of the one tool called', async () => {
  expect((await askOnce({ content: 'x', next: { passed: true } })).answer).toEqual({ passed: true })
  expect((await askOnce({ content: { passed: false } })).answer).toEqual({ passed: false })
  expect((await askOnce({ content: '', tool_calls: [{ name: 'verdict', args: { passed: true } }] })).answer).toEqual({
    passed: true,
  })
  const twice = { name: 'verdict', args: { passed: true } }
  expect((await askOnce({ content: null, tool_calls: [twice, twice] })).answer).toBeNull()
})

test('calls that a helper promises and does not make are no answer', async () => {
  const reply = { content: '{"passed": true}', finish_reason: 'tool_use', tool_calls: [] }
  expect(await failure(askOnce(reply, { role: 'validator' }))).toMatchObject({
    code: 'bad_response',
    message: 'the validator gave no answer: finish reason "tool_use" without tool calls',
  })
})

test('a script is called with the one record of data', async () => {
  const agent = new ScriptedAgent(['x'])
  const called: unknown[] = []
  const ask = createAsk(parts(agent, { callScript: async (ref, args) => void called.push(ref, args) }))
  await ask(call({ use: 'scripts:tests.sim' }))
  expect(called).toEqual(['scripts:tests.sim', [{ turn_number: 3, test_mode: 'simulator', test_id: 'T001' }]])
  expect(agent.requests).toHaveLength(0)
})

test('a helper that does not exist is named with its role', async () => {
  const missing = new UserError({
    code: 'UNKNOWN_AGENT',
    message: 'no agent "nonexistent.agent"',
    hint: 'agents: a, b',
  })
  const ask = createAsk(parts(new ScriptedAgent([]), { resolveAgent: () => Promise.reject(missing) }))
  const error = await failure(ask(call({ role: 'validator', use: 'agents:nonexistent.agent' })))
  expect(error).toMatchObject({
    message: 'failed to get validator agent "nonexistent.agent": no agent "nonexistent.agent" (agents: a, b)',
  })
})

test('built-in helpers are used where none is named, and need a connector', async () => {
  const uses: string[] = []
  const agent = new ScriptedAgent(['x'])
  const withUses = (over: Partial<AskParts> = {}): AskParts =>
    parts(agent, {
      resolveAgent: async (use) => {
        uses.push(use)
        return agent
      },
      ...over,
    })
  const bare = { role: 'validator', data: {}, signal } as const
  const error = await failure(createAsk(withUses())(bare))
  expect(error).toBeInstanceOf(AgentError)
  expect(error).toMatchObject({
    code: 'config',
    message:
      'the built-in helper viva.judge has no connector: set helpers.connector in viva.config, pass --judge or -c, ' +
      'give options.connector, or name an agent of your own in "use"',
  })
  const both = createAsk(withUses({ connectorFor: (role) => `of the ${role}` }))
  await both(bare)
  await both({ ...bare, role: 'simulator', options: { connector: 'own' } })
  await both({ ...bare, role: 'generator' })
  expect(uses).toEqual(['viva.judge', 'viva.judge', 'viva.user', 'viva.cases'])
  expect(agent.requests.map((request) => request.options.connector)).toEqual([
    'of the validator',
    'own',
    'of the generator',
  ])
})

test('a helper of one’s own keeps the connector of its package', async () => {
  const agent = new ScriptedAgent(['x'])
  await createAsk(parts(agent, { connectorFor: () => 'configured' }))(call())
  expect(agent.requests[0]?.options).not.toHaveProperty('connector')
})

test('a helper that does not listen is left behind when the case is over', async () => {
  const controller = new AbortController()
  const deaf = new ScriptedAgent([() => new Promise<string>(() => {})])
  const asking = createAsk(parts(deaf))(call({ signal: controller.signal }))
  setImmediate(() => controller.abort(new CancelledError('stopped')))
  expect(await failure(asking)).toBeInstanceOf(CancelledError)
})

test('a reporter gets report, format and options, and its text is the document', async () => {
  const agent = new ScriptedAgent(['```markdown\n# Two failed\n```'])
  const text = await reporterAgentText({
    ask: createAsk(parts(agent)),
    use: 'my.reporter',
    report: { total: 2 },
    format: 'markdown',
  })
  expect(text).toBe('# Two failed\n')
  expect(agent.requests[0]?.options.metadata).toEqual({
    test_mode: 'reporter',
    report: { total: 2 },
    format: 'markdown',
    options: { verbose: false, include_outputs: true },
  })
})
