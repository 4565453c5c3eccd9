// A value in the environment of everything Viva starts. It says whose it is, so that a later Viva can recognise the orphans
// of a dead one.
import { randomBytes } from 'node:crypto'

export const MARKER_NAME = 'VIVA_RUN_MARKER'

/** A Viva run by a Viva keeps the outer mark, so that both can find what it starts. */
export function createMarker(identity: string, outer: string | undefined): string {
  const marker = `${identity}-${randomBytes(12).toString('hex')}`
  return outer ? `${outer},${marker}` : marker
}
