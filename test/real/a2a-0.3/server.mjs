// A weather agent behind A2A 0.3, with the SDK's own server.
import { AGENT_CARD_PATH } from '@a2a-js/sdk'
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'
import { ask } from './a2a-weather.mjs'

const executor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const said = userMessage.parts.map(({ text = '' }) => text).join('')
    const end = (state, text) => {
      const message = text && {
        kind: 'message',
        messageId: `m-${taskId}`,
        role: 'agent',
        parts: [{ kind: 'text', text }],
        contextId,
        taskId,
      }
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId,
        final: true,
        status: { state, ...(message && { message }) },
      })
    }
    bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'working' }, history: [userMessage] })
    try {
      const { content, refusal } = await ask(contextId, said)
      if (refusal) end('rejected', refusal)
      else {
        for (const [index, text] of content.split(/(?<= )/).entries()) {
          const artifact = { artifactId: 'answer', parts: [{ kind: 'text', text }] }
          bus.publish({ kind: 'artifact-update', taskId, contextId, artifact, append: index > 0 })
        }
        end('completed')
      }
    } catch (error) {
      end('failed', error.message)
    }
    bus.finished()
  },
  async cancelTask() {},
}

const app = express()
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`
  const card = {
    name: 'Weather',
    description: 'Tells the weather',
    protocolVersion: '0.3.0',
    version: '1',
    url: `${url}/a2a`,
    capabilities: { streaming: true },
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [],
  }
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor)
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  console.log(url)
})
