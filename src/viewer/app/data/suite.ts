// What the suite of a run is worth, computed by the server when it is asked for.
import { computed, signal } from '@preact/signals'
import type { SuiteOverview } from '../../../model/suite-overview.js'
import { offered } from './runs.js'
import { ask } from './server.js'
import { source, summary, viewed } from './store.js'

type Examined = { state: 'none' | 'asked' } | { state: 'found'; run: string; found: SuiteOverview | { error: string } }

const examined = signal<Examined>({ state: 'none' })

/** The run that is shown, if the server can look at its suite: never in a report, nor while it is going on. */
const run = computed(() => {
  const { suite, single, runs = [] } = offered.value ?? {}
  if (!suite || !source.value?.live || !summary.value) return undefined
  return single ? runs[0]?.id : viewed.value
})

/** Undefined: it cannot be asked for. What was found for another run is not shown. */
export const suiteOfRun = computed(() => {
  if (run.value === undefined) return undefined
  const now = examined.value
  return now.state === 'found' && now.run !== run.value ? { state: 'none' as const } : now
})

export async function examineSuite(): Promise<void> {
  const asked = run.value
  if (asked === undefined) return
  examined.value = { state: 'asked' }
  const found = await ask('/api/suite', { run: asked })
    .then((response) => response.json() as Promise<SuiteOverview | { error: string }>)
    .catch((error: unknown) => ({ error: String(error) }))
  examined.value = { state: 'found', run: asked, found }
}
