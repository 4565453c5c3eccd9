// What the loopback model does with a request, in words that fit every wire format.

export interface ScriptedCall {
  id: string
  name: string
  /** As text, so that a test can send text that is not JSON. */
  args: string
}

export interface ScriptedAnswer {
  kind: 'answer'
  /** Part of its ids; each answer has one of its own unless given. */
  id?: string
  /** Streamed piece by piece; otherwise sent as one string. */
  pieces?: string[]
  calls?: ScriptedCall[]
  /** What it thought before, in the vendor's form: signed, and wanted back with the results of its calls. */
  thought?: string
  /** A thought that nobody may read, where the vendor has such. */
  redacted?: string
  /** Instead of an answer, in the vendor's own field or ending. */
  refusal?: string
  /** `cached` is part of the input, `reasoning` of the output. */
  usage?: { input: number; output: number; cached?: number; reasoning?: number }
  finish?: 'stop' | 'length' | 'tools'
}

export type Behaviour =
  | ScriptedAnswer
  /** An error answer in the provider's own form. */
  | { kind: 'error'; status: number; type: string; message: string; headers?: Record<string, string> }
  /** Exactly this. */
  | { kind: 'raw'; status: number; headers: Record<string, string>; body: string | Uint8Array }
  /** Takes the request and says nothing. */
  | { kind: 'hang' }
  /** Headers, then a byte now and then, forever. */
  | { kind: 'drip' }
  /** Ends the connection: before any byte, or after the first piece of an answer. */
  | { kind: 'reset' }
  | { kind: 'cut' }
  /** A stream that ends in good order, but before the end of the answer. */
  | { kind: 'unfinished' }
  /** A stream whose second event is not JSON, or is an error. */
  | { kind: 'malformed' }
  | { kind: 'error_midway' }
  /** Every byte of a streamed answer in a chunk of its own. */
  | { kind: 'split'; text: string }
  /** More than anyone wants to read. */
  | { kind: 'huge'; megabytes: number }

export function say(...pieces: string[]): ScriptedAnswer {
  return { kind: 'answer', pieces, usage: { input: 10, output: 5 } }
}
