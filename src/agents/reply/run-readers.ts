// Runs of agent SDKs as lists or streams of their own messages and events: one reader for each.
import type { AgentReply } from '../../model/agent.js'
import { AdkEvents, isAdkEvent } from './adk-events.js'
import { ClaudeMessages, isClaudeMessage } from './claude-messages.js'
import { GraphStream, isGraphPiece } from './graph-stream.js'
import type { RunReader } from './run-reader.js'

const KINDS: ReadonlyArray<{ isPiece(piece: unknown): boolean; open(): RunReader }> = [
  { isPiece: isClaudeMessage, open: () => new ClaudeMessages() },
  { isPiece: isAdkEvent, open: () => new AdkEvents() },
  { isPiece: isGraphPiece, open: () => new GraphStream() },
]

/** A reader for the run that the piece belongs to. */
export function openRunReader(piece: unknown): RunReader | undefined {
  return KINDS.find(({ isPiece }) => isPiece(piece))?.open()
}

/** All of a run, collected in a list. Lists of states or updates may be data. */
export function readRun(pieces: unknown[]): AgentReply | undefined {
  const [first] = pieces
  const reader = isGraphPiece(first) ? undefined : openRunReader(first)
  if (!reader) return undefined
  for (const piece of pieces) reader.take(piece)
  return reader.reply()
}
