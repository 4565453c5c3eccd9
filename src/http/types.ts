// A request, its response, and who sends the one and returns the other.
import type { DecodedText } from '../base/output-buffer.js'
import type { Endpoints } from './endpoints.js'
import type { SharedPace } from './throttle/throttle.js'

export interface HttpRequest {
  /** The same object for every call where that is possible; it must not change afterwards. */
  url: URL
  method?: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Ends connecting, waiting and reading alike. */
  signal: AbortSignal
  /** Where the address is written, for errors. */
  place?: string
  /** The answer may not be compressed. */
  uncompressed?: true
}

export interface HttpResponse {
  status: number
  statusText: string
  /** Names in lower case; the values of a name given twice are joined by a comma. */
  headers: Record<string, string>
  /** Each `set-cookie` by itself: they cannot be joined. */
  cookies: string[]
  /** One of these two, once. Both are decompressed and stop at the limit, at a cut connection and at the abort of the signal. */
  text(limit?: number): DecodedText | Promise<DecodedText>
  chunks(limit?: number): AsyncIterable<Uint8Array>
  /** `chunks`, each as it came: what comes together is not put together. */
  pieces(limit?: number): AsyncIterable<Uint8Array>
}

export interface Transport {
  /** Rejects with the signal's reason when it aborts, else with an AgentError. Redirects are not followed. */
  send(request: HttpRequest): Promise<HttpResponse>
  /** Ends all connections. What is sent afterwards fails. */
  close(): Promise<void>
}

/** The pace of a host with this credential, where others ask it too. */
export type SharePace = (host: string, credential: string) => SharedPace

export interface HttpClient extends Transport {
  endpoints: Endpoints
  sharePace?: SharePace | undefined
}
