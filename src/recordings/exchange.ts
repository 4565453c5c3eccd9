// One call that may be answered live or from a recording.
import type { RecordedResponse } from '../model/cassette.js'
import type { ModelCall } from '../model/model-call.js'
import type { AskedRequest } from './normalise.js'

export interface Exchange<Answer> {
  call: ModelCall
  asked: AskedRequest
  /** How the same was asked before judges signed their verdicts. */
  older?: AskedRequest
  /** Concurrent calls come in a different order every time: the request decides, then the position. */
  anyOrder?: true
  /** If several variants ask the same, the second gets the first one's answer; a scripted answer counts for each. */
  isCommon?: () => Promise<boolean>
  signal: AbortSignal
  onWait?: ((ms: number) => void) | undefined
  live(onWait: (ms: number) => void): Promise<Answer>
  record(answer: Answer, durationMs: number): RecordedResponse
  replay(response: RecordedResponse): Answer
}
