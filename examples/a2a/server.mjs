// A booking agent behind A2A: the card at its well-known place, JSON-RPC with streaming everywhere else.
import { createServer } from 'node:http'
import { formatSSEEvent, Role, SSE_HEADERS, TaskState } from '@a2a-js/sdk'
import { DefaultRequestHandler, InMemoryTaskStore, JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'

const text = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' })

const executor = {
  async execute(context, bus) {
    const { taskId, contextId, userMessage } = context
    const said = userMessage.parts.map(({ content }) => content?.value ?? '').join('')
    const status = (state, words) => ({
      state,
      timestamp: new Date().toISOString(),
      message: words && message(contextId, taskId, words),
    })
    const day = /monday|tuesday/i.exec(said)?.[0]
    const task = { id: taskId, contextId, artifacts: [], history: [], metadata: undefined }
    if (!day) {
      bus.publish({ kind: 'task', data: { ...task, status: status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which day?') } })
    } else {
      bus.publish({ kind: 'task', data: { ...task, status: status(TaskState.TASK_STATE_WORKING) } })
      const pieces = ['Booked ', `for ${day}.`]
      pieces.forEach((piece, index) => bus.publish({ kind: 'artifactUpdate', data: artifact(context, piece, index > 0) }))
      const done = { taskId, contextId, status: status(TaskState.TASK_STATE_COMPLETED), metadata: undefined }
      bus.publish({ kind: 'statusUpdate', data: done })
    }
    bus.finished()
  },
  async cancelTask() {},
}

function message(contextId, taskId, words) {
  const rest = { metadata: undefined, extensions: [], referenceTaskIds: [] }
  return { messageId: `m-${taskId}`, contextId, taskId, role: Role.ROLE_AGENT, parts: [text(words)], ...rest }
}

function artifact({ taskId, contextId }, piece, append) {
  const one = { artifactId: 'booking', name: 'booking', description: '', parts: [text(piece)], metadata: undefined, extensions: [] }
  return { taskId, contextId, artifact: one, append, lastChunk: false, metadata: undefined }
}

const card = (url) => ({
  name: 'bookings',
  description: 'Books a table',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  provider: undefined,
  version: '1',
  capabilities: { streaming: true, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
})

let handler
const server = createServer(async (request, response) => {
  const json = (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.url === '/.well-known/agent-card.json') return json(card(origin()))
  let body = ''
  for await (const chunk of request) body += chunk
  const result = await handler.handle(body, new ServerCallContext({ requestedVersion: '1.0' }))
  if (!(Symbol.asyncIterator in result)) return json(result)
  response.writeHead(200, SSE_HEADERS)
  for await (const event of result) response.write(formatSSEEvent(event))
  response.end()
})
const origin = () => `http://127.0.0.1:${server.address().port}`
server.listen(Number(process.env.PORT ?? 8788), '127.0.0.1', () => {
  handler = new JsonRpcTransportHandler(new DefaultRequestHandler(card(origin()), new InMemoryTaskStore(), executor))
  console.log(origin())
})
