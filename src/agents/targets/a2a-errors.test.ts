// Against a server that answers what it is told to, right or wrong.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { agentRequest, failure } from '../../../test/support/agent-request.js'
import { http } from '../../../test/support/http.js'
import { createA2aAgent } from './a2a.js'

test('an error in a stream is an error whatever came before it', async () => {
  const event = (result: object, over = {}) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result, ...over })}`
  const piece = (text: string) => ({
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] } },
  })
  const state = (name: string, taskId = 't') => ({
    statusUpdate: { taskId, contextId: 'c', status: { state: `TASK_STATE_${name}` } },
  })
  const said = [event(state('WORKING')), event(piece('all of it'))]
  const failing = {
    'event: error': [...said, 'event: error\ndata: it broke', event(state('COMPLETED'))],
    'event: error around a result': [...said, `event: error\n${event(state('COMPLETED'))}`],
    'an error beside the result': [
      ...said,
      event(state('COMPLETED'), { error: { code: -32603, message: 'it broke' } }),
    ],
    'an error after the end': [...said, event(state('COMPLETED')), 'event: error\ndata: {"error":"it broke"}'],
    'a failed task': [...said, event(state('FAILED'))],
    'an end without an end': said,
    'a failed task that is completed afterwards': [...said, event(state('FAILED')), event(state('COMPLETED'))],
    'a cancelled task that is completed afterwards': [...said, event(state('CANCELED')), event(state('COMPLETED'))],
    'another task that is completed': [...said, event(state('COMPLETED', 'u'))],
  }
  const agent = createA2aAgent(`a2a:${await startTold()}`, { http, env: {}, retry_base_ms: 0.01 })
  const ask = (blocks: string[]) => agent.send(agentRequest(JSON.stringify(blocks), { onChunk: () => {} }))
  for (const [name, blocks] of Object.entries(failing)) {
    const error = await failure(ask(blocks))
    expect([name, error]).toMatchObject([name, { name: 'AgentError', partial: { content: 'all of it' } }])
  }
  expect(await ask([...said, event(state('COMPLETED'))])).toMatchObject({ content: 'all of it' })
})

test('an answer in several messages is all of them, without what the user said', async () => {
  const agent = createA2aAgent(`a2a:${await startTold()}`, { http, env: {}, retry_base_ms: 0.01 })
  const message = (text: string, role = 'ROLE_AGENT') => ({
    message: { messageId: text, contextId: 'c', role, parts: [{ text }] },
  })
  const blocks = [message('hi', 'ROLE_USER'), message('Good '), message('hi', 'ROLE_USER'), message('morning')].map(
    (result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result })}`,
  )
  const reply = await agent.send(agentRequest(JSON.stringify(blocks), { onChunk: () => {} }))
  expect(reply).toMatchObject({ content: 'Good morning' })
})

test('an answer in one piece: an error beside the result, a task that continues', async () => {
  const url = await startTold()
  const agent = createA2aAgent(`a2a:${url}`, { http, env: {}, retry_base_ms: 0.01 })
  const ask = (body: object) => agent.send(agentRequest(JSON.stringify(body)))
  const task = (state: string) => ({
    task: {
      id: 't',
      contextId: 'c',
      status: { state: `TASK_STATE_${state}` },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'all of it' }] }],
    },
  })
  const answer = (state: string, over = {}) => ({ jsonrpc: '2.0', id: '$id', result: task(state), ...over })
  expect(await ask(answer('COMPLETED'))).toMatchObject({ content: 'all of it' })
  for (const state of ['WORKING', 'SUBMITTED', 'UNSPECIFIED', 'OF_TOMORROW'])
    expect(await failure(ask(answer(state)))).toMatchObject({ code: 'cut_off', partial: { content: 'all of it' } })
  const message = (role: string) => ({
    jsonrpc: '2.0',
    id: '$id',
    result: { message: { messageId: 'm', contextId: 'c', role, parts: [{ text: 'all of it' }] } },
  })
  expect(await ask(message('ROLE_AGENT'))).toMatchObject({ content: 'all of it' })
  expect(await failure(ask(message('ROLE_USER')))).toMatchObject({ code: 'bad_response' })
  const failed = answer('COMPLETED', { error: { code: -32603, message: 'it broke' } })
  expect(await failure(ask(failed))).toMatchObject({ message: expect.stringContaining('it broke') })
})

/** Answers with what it is told, a list as a stream of its blocks; `$id` is the id of the request. */
async function startTold(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.method === 'GET') return response.setHeader('content-type', 'application/json').end(card())
      const { id, params } = JSON.parse(body) as { id: number; params: { message: { parts: [{ text: string }] } } }
      const { text } = params.message.parts[0]
      const told = JSON.parse(text) as unknown
      const isStream = Array.isArray(told)
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      response.end((isStream ? `${told.join('\n\n')}\n\n` : text).replaceAll('"$id"', String(id)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const card = (): string =>
    JSON.stringify({
      name: 'told',
      description: 'Streams what it is told',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
      version: '1',
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    })
  return url
}
