// Reads a run of an agent SDK from its own messages or events.
import type { AgentReply } from '../../model/agent.js'

export interface RunReader {
  /** The text that the piece adds, to be passed on as it comes. */
  take(piece: unknown): string | undefined
  /** What the piece says went wrong. */
  errorIn(piece: unknown): { error: unknown } | undefined
  /** Throws AgentError for a run that was cut off. */
  reply(): AgentReply
  /** What the run came to in the SDK's own form, for later turns. */
  returned(): unknown
}
