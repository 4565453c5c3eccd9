// The state of one conversation while it runs: script, transcript, turns so far.
import type { AgentReply } from '../../../model/agent.js'
import type { TurnResult } from '../../../model/event.js'
import type { WorkspaceChanges } from '../../../model/workspace.js'
import type { Awaiting } from './awaiting-input.js'
import { type CheckpointProgress, startCheckpoints } from './checkpoints.js'
import type { ConversationSetup } from './contract.js'
import type { PartialReply } from './partial-reply.js'
import { type ConversationScript, scriptOf } from './script.js'
import { responseText, spokenText } from './spoken-text.js'
import { Transcript } from './transcript.js'

export interface LastAnswer {
  reply: AgentReply
  output: unknown
  awaiting: Awaiting
}

export class Conversation {
  readonly setup: ConversationSetup
  readonly script: ConversationScript
  readonly transcript: Transcript
  readonly checkpoints: CheckpointProgress[]
  readonly turns: TurnResult[] = []
  /** Turns the agent answered. */
  answered = 0
  last: LastAnswer | undefined
  /** What the latest call returned, whether or not it led to an answer. */
  latest: PartialReply | undefined
  /** Messages sent with the last call. */
  sent = 0
  /** The agent's time, over all turns and in the last one. */
  agentMs = 0
  lastMs = 0
  /** What has changed in its workspace, as of the latest call. */
  changed: WorkspaceChanges | undefined
  /** The state when the case began, and as of the latest call. */
  stateBefore: unknown
  stateAfter: unknown
  /** The case has its result without the agent: anything it still says is dropped. */
  isAbandoned = false

  constructor(setup: ConversationSetup) {
    this.setup = setup
    this.transcript = new Transcript(setup.started)
    this.script = scriptOf(setup)
    this.checkpoints = startCheckpoints(setup.testCase.checkpoints)
  }

  /** The last answer as text. */
  get lastText(): string {
    return this.last ? responseText(this.last.reply) : ''
  }

  /** The last answer's words, for people. */
  get lastWords(): string {
    return this.last ? spokenText(this.last.reply) : ''
  }

  /** Graded cases continue after a failed assertion: the score decides at the end. */
  get graded(): boolean {
    return this.setup.testCase.min_score !== undefined
  }
}
