// The state of the fleet that runs the cases, if the server knows of one.
import { signal } from '@preact/signals'
import type { FleetMessage } from '../../../model/fleet-status.js'
import { messages } from './server.js'

export const fleet = signal<FleetMessage | undefined>(undefined)
let following = false

/** Once, however often it is called. */
export async function followFleet(): Promise<void> {
  if (following) return
  following = true
  try {
    for await (const message of messages<FleetMessage>('/api/fleet', {}, new AbortController().signal))
      fleet.value = message
  } catch {
    // That the server is gone, or does not know us, is reported for the page as a whole.
  }
  fleet.value = undefined
}
