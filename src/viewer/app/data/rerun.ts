// Running cases again from the page, where the server allows it.
import { computed, signal } from '@preact/signals'
import type { RerunRequest } from '../../../model/live-message.js'
import { NO_FILTER } from './filter.js'
import { offered, viewRun } from './runs.js'
import { act } from './server.js'
import { cases, comparison, filter, source, summary, viewed } from './store.js'

/** Why the last attempt came to nothing. */
export const rerunError = signal('')
const isAsking = signal(false)

/** The run on the page has ended, and its cases may be run again. */
export const canRerun = computed(
  () =>
    offered.value?.rerun !== undefined &&
    source.value?.live === true &&
    viewed.value !== undefined &&
    summary.value !== undefined &&
    comparison.value === undefined,
)
export const isRerunning = computed(() => isAsking.value || offered.value?.rerun?.running !== undefined)
/** The run on the page is the one that is going on. */
export const canStop = computed(
  () => viewed.value !== undefined && offered.value?.rerun?.running === viewed.value && summary.value === undefined,
)
export const failedIds = computed(() => [
  ...new Set(cases.value.filter(({ status }) => status === 'failed').map(({ id }) => id)),
])

/** Shows the new run as soon as it has begun. */
export async function rerun(ids: string[]): Promise<void> {
  if (viewed.value === undefined || isAsking.value) return
  isAsking.value = true
  rerunError.value = ''
  try {
    const request: RerunRequest = { run: viewed.value, cases: ids }
    const answer = await act<{ run: string }>('/api/rerun', request)
    if ('error' in answer) rerunError.value = answer.error
    else {
      filter.value = NO_FILTER
      viewRun(answer.run)
    }
  } catch (error) {
    rerunError.value = String(error)
  } finally {
    isAsking.value = false
  }
}

export function stopRerun(): void {
  void act('/api/rerun/stop', {}).catch((error: unknown) => (rerunError.value = String(error)))
}
