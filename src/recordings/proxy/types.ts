// What the proxy works with, and whose calls come to it.
import type { HttpClient } from '../../http/types.js'
import type { ModelCall } from '../../model/model-call.js'
import type { Normaliser } from '../normalise.js'
import type { RunCassette } from '../run-cassette.js'
import type { Upstreams } from './upstream.js'

export interface ProxyInit {
  cassette: RunCassette
  normaliser: Normaliser
  http: HttpClient
  /** 0 or absent: a free one. */
  port?: number
  /** Recorded answers take as long as they originally did. */
  realtime?: boolean
  /** Called for every call that was refused, or that a recording could not answer. */
  onRefused(text: string): void
}

/** Calls that come to one address. */
export interface Talk {
  /** Whose they are; `caseId`: as the path names it, if it does. Throws if that cannot be determined. */
  callOf(caseId: string | undefined): ModelCall
  /** Ends what is still being answered. */
  signal(): AbortSignal
  /** The `monotonicNow` at which it began. */
  started: number
  /** Called for an answer that is given immediately: when it was requested and complete, in milliseconds since the beginning. */
  onReplayed?(from: number, to: number): void
  upstreams: Upstreams
}
