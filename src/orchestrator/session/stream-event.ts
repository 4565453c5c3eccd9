// Session records are events of the one stream: `session.jsonl` is what remains when the stream is about one run.
import type { OrchestratorEvent } from '../../model/event.js'
import type { SessionRecord } from '../../model/session.js'

export function streamEvent(
  record: SessionRecord,
  of: Pick<OrchestratorEvent, 'id' | 'run' | 'attempt'> = {},
): OrchestratorEvent {
  return { type: 'orchestrator', ...of, ...record }
}
