// The endpoints a run talks to: one that keeps refusing the key or has no quota left is no longer called.
import { AgentError } from '../errors.js'
import { plural } from '../base/format.js'

/** That many in a row are not an accident of one case. */
const MAX_REFUSALS = 5

export interface Endpoints {
  /** One per host and credential. */
  at(host: string, credential?: string): Endpoint
  /** Why calls were not made, if any. */
  stopped(): string | undefined
}

export interface Endpoint {
  /** Makes the call. Once the endpoint has refused too often, throws an AgentError with the code `stopped` instead. */
  call<T>(make: () => Promise<T>): Promise<T>
  /** Whether a call would be withheld. */
  isStopped(): boolean
}

/** `keepGoing`: endpoints are called however often they refuse. */
export function createEndpoints(keepGoing: boolean): Endpoints {
  const all = new Map<string, CountedEndpoint>()
  return {
    at(host, credential = '') {
      if (keepGoing) return UNLIMITED
      // `Bearer …` is the same key as without the word.
      const key = `${host}\0${credential.replace(/^\w+\s+/, '')}`
      let endpoint = all.get(key)
      if (!endpoint) all.set(key, (endpoint = new CountedEndpoint(host)))
      return endpoint
    },
    stopped() {
      const reasons = [...all.values()].flatMap((endpoint) => endpoint.missed ?? [])
      return reasons.length === 0 ? undefined : [...new Set(reasons)].join('; ')
    },
  }
}

const UNLIMITED: Endpoint = { call: (make) => make(), isStopped: () => false }

class CountedEndpoint implements Endpoint {
  /** Set once a call was withheld. */
  missed: string | undefined
  readonly #host: string
  #refusals = 0
  #reason: string | undefined

  constructor(host: string) {
    this.#host = host
  }

  async call<T>(make: () => Promise<T>): Promise<T> {
    if (this.isStopped()) throw new AgentError({ code: 'stopped', message: this.#reason ?? '', retry: false })
    try {
      const value = await make()
      this.#refusals = 0
      return value
    } catch (error) {
      if (error instanceof AgentError) this.#failed(error)
      throw error
    }
  }

  isStopped(): boolean {
    if (this.#reason === undefined) return false
    this.missed = this.#reason
    return true
  }

  #failed(error: AgentError): void {
    if (error.code === 'auth' || error.code === 'quota') {
      if (++this.#refusals >= MAX_REFUSALS) this.#reason ??= stopReason(this.#host, error)
    }
    // Any other answer ends the streak; no answer says nothing about it.
    else if (error.status !== undefined) this.#refusals = 0
  }
}

function stopReason(host: string, { message }: AgentError): string {
  return `${host} refused ${plural(MAX_REFUSALS, 'call')} in a row: ${message}; --keep-going calls it anyway`
}
