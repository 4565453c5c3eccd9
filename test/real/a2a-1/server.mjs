// A weather agent behind A2A 1.0, with the SDK's own server.
import { AGENT_CARD_PATH, Role, TaskState } from '@a2a-js/sdk'
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'
import { ask } from './a2a-weather.mjs'

const text = (value) => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})

const executor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const said = userMessage.parts.map(({ content }) => content?.value ?? '').join('')
    const rest = { metadata: undefined, extensions: [], referenceTaskIds: [] }
    const status = (state, words) => ({
      state,
      timestamp: new Date().toISOString(),
      message: words && {
        messageId: `m-${taskId}`,
        contextId,
        taskId,
        role: Role.ROLE_AGENT,
        parts: [text(words)],
        ...rest,
      },
    })
    const end = (state, words) =>
      bus.publish({
        kind: 'statusUpdate',
        data: { taskId, contextId, status: status(state, words), metadata: undefined },
      })
    const task = { id: taskId, contextId, artifacts: [], history: [], metadata: undefined }
    bus.publish({ kind: 'task', data: { ...task, status: status(TaskState.TASK_STATE_WORKING) } })
    try {
      const { content, refusal } = await ask(contextId, said)
      if (refusal) end(TaskState.TASK_STATE_REJECTED, refusal)
      else {
        for (const [index, piece] of content.split(/(?<= )/).entries()) {
          const artifact = {
            artifactId: 'answer',
            name: '',
            description: '',
            parts: [text(piece)],
            metadata: undefined,
            extensions: [],
          }
          const data = { taskId, contextId, artifact, append: index > 0, lastChunk: false, metadata: undefined }
          bus.publish({ kind: 'artifactUpdate', data })
        }
        end(TaskState.TASK_STATE_COMPLETED)
      }
    } catch (error) {
      end(TaskState.TASK_STATE_FAILED, error.message)
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
    supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
    provider: undefined,
    version: '1',
    capabilities: { streaming: true, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  }
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor)
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  console.log(url)
})
