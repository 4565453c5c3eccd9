// Assembles the answer of an A2A agent: a message, or a task with its states, messages and artifacts.
import type { Artifact, Message, Part, Role, StreamResponse, TaskStatus } from '@a2a-js/sdk'
import { AgentError } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import { defined } from '../../base/defined.js'
import { show } from '../../base/text.js'
import { monotonicNow } from '../../time/clock.js'

/** The protocol's numbers, so that reading an answer does not load the whole package. */
const STATE = {
  completed: 3,
  failed: 4,
  canceled: 5,
  inputRequired: 6,
  rejected: 7,
  authRequired: 8,
} as const

// oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- as above
export const ROLE_USER: Role = 1

export class A2aAnswer {
  readonly #onChunk: ((text: string) => void) | undefined
  readonly #artifacts = new Map<string, Part[]>()
  #message: Message | undefined
  #status: TaskStatus | undefined
  #contextId = ''
  #start = monotonicNow()
  #firstChunk: number | undefined
  taskId: string | undefined

  constructor(onChunk: ((text: string) => void) | undefined) {
    this.#onChunk = onChunk
  }

  reset(): void {
    this.#artifacts.clear()
    this.#message = undefined
    this.#status = undefined
    this.#firstChunk = undefined
    this.taskId = undefined
    this.#start = monotonicNow()
  }

  take({ payload }: StreamResponse): void {
    switch (payload?.$case) {
      case 'message':
        this.#addMessage(payload.value)
        this.#contextId = payload.value.contextId
        this.#pass(payload.value.parts)
        break
      case 'task':
        this.#beAbout(payload.value.id)
        this.#contextId = payload.value.contextId
        this.#setStatus(payload.value.status)
        for (const artifact of payload.value.artifacts) this.#addArtifact(artifact, false)
        break
      case 'statusUpdate':
        this.#beAbout(payload.value.taskId)
        this.#contextId = payload.value.contextId
        this.#setStatus(payload.value.status)
        break
      case 'artifactUpdate':
        this.#beAbout(payload.value.taskId)
        if (payload.value.artifact) this.#addArtifact(payload.value.artifact, payload.value.append)
        break
      case undefined:
        break
    }
  }

  reply(): AgentReply {
    const state = this.#state()
    const said = contentOf(this.#status?.message?.parts ?? [])
    if (isFailure(state) || state === STATE.authRequired) throw taskFailed(state, said, this.partial())
    const waits = state === STATE.inputRequired
    // Nor is it over in an unknown state, or in none.
    const isOpen = this.taskId !== undefined && state !== STATE.completed && !waits
    if (isOpen && !this.#message) throw unfinished(this.partial())
    if (this.#message?.role === ROLE_USER) throw ownMessage()
    const made = contentOf([...this.#artifacts.values()].flat())
    const content = contentOf(this.#message?.parts ?? []) ?? (waits ? (said ?? made) : (made ?? said))
    return {
      content: content ?? '',
      tool_calls: [],
      // The protocol does not report them.
      tool_evidence: 'unknown',
      finish_reason: waits ? 'input_required' : 'stop',
      ...(waits && { awaiting_input: true }),
      ...defined({
        input_hint: waits && typeof said === 'string' ? said : undefined,
        first_chunk_ms: this.#firstChunk,
      }),
    }
  }

  partial(): { content: unknown } | undefined {
    const content = contentOf([...this.#artifacts.values()].flat())
    return content === undefined ? undefined : { content }
  }

  /** What the next message of the conversation refers to. */
  ids(): { contextId: string; taskId?: string } {
    const waits = this.#state() === STATE.inputRequired
    return { contextId: this.#contextId, ...(waits && this.taskId !== undefined && { taskId: this.taskId }) }
  }

  #state(): number | undefined {
    return this.#status?.state
  }

  /** What follows a failure does not undo it. */
  #setStatus(status: TaskStatus | undefined): void {
    if (!isFailure(this.#state())) this.#status = status
  }

  /** One call has one task: what another one does is not an answer to it. */
  #beAbout(taskId: string): void {
    if (this.taskId && taskId !== '' && taskId !== this.taskId) throw otherTask(taskId, this.taskId)
    this.taskId = taskId || (this.taskId ?? '')
  }

  /** An answer may come as several messages; one of the user's among them is an echo. */
  #addMessage(message: Message): void {
    const before = this.#message?.role === ROLE_USER ? undefined : this.#message
    if (before && message.role === ROLE_USER) return
    this.#message = before ? { ...message, parts: [...before.parts, ...message.parts] } : message
  }

  #addArtifact({ artifactId, parts }: Artifact, append: boolean): void {
    const before = append ? (this.#artifacts.get(artifactId) ?? []) : []
    this.#artifacts.set(artifactId, [...before, ...parts])
    this.#pass(parts)
  }

  #pass(parts: Part[]): void {
    if (!this.#onChunk) return
    this.#firstChunk ??= monotonicNow() - this.#start
    for (const { content } of parts) if (content?.$case === 'text') this.#onChunk(content.value)
  }
}

function isFailure(state: number | undefined): state is number {
  return state === STATE.failed || state === STATE.rejected || state === STATE.canceled
}

/** Text if there is text, else the data; undefined for nothing. */
function contentOf(parts: Part[]): unknown {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
  if (texts.length > 0) return texts.join('')
  const data = parts.flatMap(({ content }): unknown[] => (content?.$case === 'data' ? [content.value] : []))
  if (data.length > 0) return data.length === 1 ? data[0] : data
  const urls = parts.flatMap(({ content }) => (content?.$case === 'url' ? [content.value] : []))
  return urls.length > 0 ? urls.join('\n') : undefined
}

/** What it has produced so far is not what it would have answered. */
function unfinished(partial: unknown): AgentError {
  return new AgentError({
    code: 'cut_off',
    message: 'the answer ended before the task was completed',
    hint: 'the agent must continue until its task is completed or waits for input',
    ...defined({ partial }),
  })
}

function otherTask(id: string, own: string): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the answer refers to two tasks: ${show(own)} and ${show(id)}`,
    hint: 'every event of an answer must carry the id of its task',
    retry: false,
  })
}

function ownMessage(): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: 'the answer is a message from the user, not from the agent',
    hint: 'the agent must answer with the role ROLE_AGENT',
    retry: false,
  })
}

function taskFailed(state: number, said: unknown, partial: unknown): AgentError {
  const word = Object.entries(STATE).find(([, value]) => value === state)?.[0] ?? 'failed'
  const text = typeof said === 'string' ? `: ${said}` : ''
  if (state === STATE.authRequired) {
    return new AgentError({
      code: 'auth',
      message: `the agent requires authentication${text}`,
      hint: 'give it headers in the configuration: agents.<name>.headers',
    })
  }
  return new AgentError({ code: 'failed', message: `the task was ${word}${text}`, ...defined({ partial }) })
}
