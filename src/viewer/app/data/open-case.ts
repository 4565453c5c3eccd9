// Opening the file of a case in the editor, where the server can: `viva view` on this machine, never a report.
import { computed, signal } from '@preact/signals'
import { offered } from './runs.js'
import { act } from './server.js'
import { source, viewed } from './store.js'

/** Its name; undefined if there is none to be opened. */
export const editor = computed(() => (source.value?.live ? offered.value?.editor : undefined))
/** Why the last attempt came to nothing. */
export const editorError = signal('')

export async function openInEditor(id: string): Promise<void> {
  // The one run that there is has no name in the address.
  const run = viewed.value ?? (offered.value?.single ? offered.value.runs[0]?.id : undefined)
  if (run === undefined) return
  editorError.value = ''
  try {
    const answer = await act<object>('/api/open', { run, case: id })
    if ('error' in answer) editorError.value = answer.error
  } catch (error) {
    editorError.value = String(error)
  }
}
