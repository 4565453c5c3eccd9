// Texts without what is different each time: times, durations and ids.
import { createNormalisation } from '../redact/normalise-text.js'

/** For the texts of one answer: the same id is the same in all of them. */
export function withoutTimes(): (text: string) => string {
  const normalise = createNormalisation({ $TIMESTAMP: true, $UUID: true, $DURATION: true })
  return (text) => normalise(text).replaceAll(/\b\d{10,}\b/g, '#')
}
