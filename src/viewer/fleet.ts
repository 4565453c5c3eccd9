// The state of a fleet, sent again whenever it changes. Polled only while someone watches.
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../base/message-of.js'
import type { FleetMessage, FleetStatus } from '../model/fleet-status.js'

export interface FleetSource {
  /** Where it meets, in a form that may be shown. */
  place: string
  /** Throws if nothing answers there. */
  read(): Promise<FleetStatus>
  close(): void
}

const LOOK_MS = 1000

export async function* fleetMessages(fleet: FleetSource, signal: AbortSignal): AsyncGenerator<FleetMessage> {
  let told = ''
  while (!signal.aborted) {
    const message = await look(fleet)
    const text = JSON.stringify(message)
    if (text !== told) yield message
    told = text
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

function look({ place, read }: FleetSource): Promise<FleetMessage> {
  return read().then(
    (status) => ({ place, status }),
    (error: unknown) => ({ place, error: messageOf(error) }),
  )
}
