// A request, its response, and who sends the one and returns the other.
import type { DecodedText } from '../base/output-buffer.js'
import type { Endpoints } from './endpoints.js'
import type { SharedPace } from './throttle/throttle.js'

export interface HttpRequest {
  /** The same object for every call if possible; it must not change afterwards. */
  url: URL
  method?: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Ends connecting, waiting and reading alike. */
  signal: AbortSignal
  /** Where the address is configured, for errors. */
  place?: string
  /** The answer must not be compressed. */
  uncompressed?: true
}

export interface HttpResponse {
  status: number
  statusText: string
  /** Names in lower case; the values of a name given twice are joined by a comma. */
  headers: Record<string, string>
  /** Each `set-cookie` on its own: they cannot be joined. */
  cookies: string[]
  /** One of these two, once. Both are decompressed and stop at the limit, at a cut connection and when the signal aborts. */
  text(limit?: number): DecodedText | Promise<DecodedText>
  chunks(limit?: number): AsyncIterable<Uint8Array>
  /** `chunks`, each as it came: what arrives together is not joined. */
  pieces(limit?: number): AsyncIterable<Uint8Array>
}

export interface Transport {
  /** Rejects with the signal's reason when it aborts, else with an AgentError. Redirects are not followed. */
  send(request: HttpRequest): Promise<HttpResponse>
  /** Ends all connections. What is sent afterwards fails. */
  close(): Promise<void>
}

/** The pace of a host with this credential, if other processes call it too. */
export type SharePace = (host: string, credential: string) => SharedPace

export interface HttpClient extends Transport {
  endpoints: Endpoints
  /** Throws a UserError if nothing may be called. `what` starts the sentence. */
  requireLive(what: string): void
  sharePace?: SharePace | undefined
}
