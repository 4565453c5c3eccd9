// A small A2A agent on the loopback interface, made with the protocol's own SDK.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatSSEEvent, Role, SSE_HEADERS, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk'
import {
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server'

export interface A2aServer {
  url: string
  /** The texts that arrived, with the context they arrived in. */
  received: Array<{ text: string; contextId: string }>
  headers: Array<Record<string, unknown>>
  canceled: string[]
  close(): Promise<void>
}

export async function startA2aServer(): Promise<A2aServer> {
  const record: A2aServer = { url: '', received: [], headers: [], canceled: [], close: async () => {} }
  const executor = createExecutor(record)
  let handler: JsonRpcTransportHandler | undefined

  const server = createServer((request, response) => {
    void route(request, response)
  })
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    record.headers.push(request.headers)
    if (request.url === '/.well-known/agent-card.json') return sendJson(response, card(record.url))
    let body = ''
    for await (const chunk of request) body += chunk
    const context = new ServerCallContext({ requestedVersion: '1.0' })
    const result = await handler?.handle(body, context)
    if (!result || !(Symbol.asyncIterator in result)) return sendJson(response, result)
    response.writeHead(200, SSE_HEADERS)
    for await (const event of result) response.write(formatSSEEvent(event))
    response.end()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  record.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handler = new JsonRpcTransportHandler(new DefaultRequestHandler(card(record.url), new InMemoryTaskStore(), executor))
  record.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return record
}

/** What it does is what it is told: `task`, `pieces`, `data`, `ask`, `fail`, `hang`; everything else is echoed. */
function createExecutor(record: A2aServer): AgentExecutor {
  return {
    async execute(context, bus) {
      const said = textOf(context.userMessage)
      record.received.push({ text: said, contextId: context.contextId })
      const task = taskOf(context)
      switch (said) {
        case 'task':
          publishTask(bus, {
            ...task,
            artifacts: [artifact([text('from a task')])],
            status: status(TaskState.TASK_STATE_COMPLETED),
          })
          break
        case 'pieces':
          publishTask(bus, task)
          for (const piece of ['one ', 'two']) publishPiece(bus, context, piece)
          publishStatus(bus, context, TaskState.TASK_STATE_COMPLETED)
          break
        case 'ask':
          publishTask(bus, { ...task, status: status(TaskState.TASK_STATE_INPUT_REQUIRED, 'which city?', context) })
          break
        case 'fail':
          publishTask(bus, { ...task, status: status(TaskState.TASK_STATE_FAILED, 'it is broken', context) })
          break
        case 'hang':
          publishTask(bus, task)
          await new Promise(() => {})
          break
        case 'throw':
          throw new Error('the executor threw')
        case 'data':
          bus.publish({ kind: 'message', data: message(context, [data({ answer: 42 })]) })
          break
        default:
          bus.publish({ kind: 'message', data: message(context, [text(`echo: ${said}`)]) })
      }
      bus.finished()
    },
    async cancelTask(taskId) {
      record.canceled.push(taskId)
    },
  }
}

function card(url: string) {
  return {
    name: 'echo',
    description: 'Echoes',
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
  }
}

const text = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})
const data = (value: unknown): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: 'application/json',
})
const artifact = (parts: Part[]) => ({
  artifactId: 'a1',
  name: 'answer',
  description: '',
  parts,
  metadata: undefined,
  extensions: [],
})

function message({ contextId }: RequestContext, parts: Part[]): Message {
  return {
    messageId: `m${Math.random()}`,
    contextId,
    taskId: '',
    role: Role.ROLE_AGENT,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

function taskOf({ taskId, contextId }: RequestContext): Task {
  return {
    id: taskId,
    contextId,
    status: status(TaskState.TASK_STATE_WORKING),
    artifacts: [],
    history: [],
    metadata: undefined,
  }
}

function status(state: TaskState, said?: string, context?: RequestContext) {
  const timestamp = new Date().toISOString()
  return { state, message: said && context ? message(context, [text(said)]) : undefined, timestamp }
}

function publishTask(bus: ExecutionEventBus, task: Task): void {
  bus.publish({ kind: 'task', data: task })
}

function publishPiece(bus: ExecutionEventBus, { taskId, contextId }: RequestContext, piece: string): void {
  bus.publish({
    kind: 'artifactUpdate',
    data: {
      taskId,
      contextId,
      artifact: artifact([text(piece)]),
      append: piece !== 'one ',
      lastChunk: false,
      metadata: undefined,
    },
  })
}

function publishStatus(bus: ExecutionEventBus, { taskId, contextId }: RequestContext, state: TaskState): void {
  bus.publish({ kind: 'statusUpdate', data: { taskId, contextId, status: status(state), metadata: undefined } })
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
