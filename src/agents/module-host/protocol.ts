// What passes between Viva and a process that runs a module agent. A line holds a list of these: everything from one tick.
import type { AgentErrorInit } from '../../errors.js'
import type { AgentContext, AgentOptions, AgentReply, AgentRequest } from '../../model/agent.js'
import type { SentMessages } from '../targets/sent-messages.js'

/** With the messages as the function receives them. */
export type ModuleRequest = Omit<AgentRequest, 'messages'> & { messages: SentMessages }

export type HostMessage =
  /** The first message: the key with which the child seals its lines. */
  | { k: 'hello'; key: string }
  | { k: 'load'; url: string; file: string }
  | CallMessage
  /** `text` is set when it was a deadline. */
  | { k: 'abort'; id: number; message: string; text?: string }

export interface CallMessage {
  k: 'call'
  id: number
  /** Of the exported function. */
  name: string
  messages: SentMessages
  /** Absent if it is as in the last call, apart from `own`. */
  context?: AgentContext
  own?: Pick<AgentContext, 'chat_id' | 'metadata'>
  options: AgentOptions
  turn?: number
  /** Conversations that are over since the last call. */
  over?: string[]
  workspace?: string
}

/** What a module exports: functions, agents of SDKs, and objects that look like agents but cannot be called. */
export interface ModuleExport {
  name: string
  kind: 'function' | 'agent' | 'other'
  /** Why it cannot be called. */
  problem?: string
}

export type ChildMessage =
  | { k: 'loaded'; value: ModuleExport[] }
  | { k: 'refused'; value: string }
  | { k: 'chunk'; id: number; value: string }
  /** `id` 0: printed outside any call, as far as can be determined. */
  | { k: 'log'; id: number; value: string[] }
  /** The abort has reached the agent: its event loop turns. */
  | { k: 'heard'; id: number }
  | { k: 'reply'; id: number; value: AgentReply }
  | { k: 'error'; id: number; value: WireError }
  /** An uncaught exception or rejection. */
  | { k: 'stray'; id: number; value: string }

export type WireError = Omit<AgentErrorInit, 'cause'>
