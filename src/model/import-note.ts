// What `viva import` notes in `metadata.import` of a case that it could not carry over as it was.
import { isRecord } from '../base/record.js'

/** It is skipped because part of it was lost: nobody chose that. */
export function isLostInImport(metadata: Record<string, unknown> | undefined): boolean {
  const notes: unknown = metadata?.['import']
  return Array.isArray(notes) && notes.some((note) => isRecord(note) && note['lost'] === true)
}
