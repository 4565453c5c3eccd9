// A simulated user begins the same way with every variant: its first message in one run of a case is asked for once.
import type { HelperCall } from '../../model/helper.js'
import { runKey, type RunKey } from '../../model/run-key.js'
import { orAborted } from '../../time/deadline.js'
import type { Project } from '../project.js'
import type { Settings } from '../settings.js'

export type ShareFirst = (
  origin: { case_id: string; run: number },
  call: HelperCall,
  connector: string | undefined,
  ask: () => Promise<unknown>,
) => Promise<unknown>

// The variants of a case follow each other: earlier ones all have their answers.
const KEPT = 10_000

export function createSharedFirst({ interrupted }: Settings, project: Project): ShareFirst {
  const told = new Map<RunKey, Promise<unknown>>()
  for (const [key, input] of interrupted?.firstInputs ?? []) told.set(key, Promise.resolve({ input }))

  return async ({ case_id, run }, call, connector, ask) => {
    if (call.role !== 'simulator' || call.data['turn_number'] !== 1) return ask()
    // A mock has its answers in order, for each conversation: they all say the same anyway.
    if (connector !== undefined && (await isMock(connector, project))) return ask()
    const key = runKey({ id: case_id, run })
    const known = told.get(key)
    if (known) {
      try {
        return await orAborted(known, call.signal)
      } catch {
        // The first to ask was cut off.
        call.signal.throwIfAborted()
      }
    }
    const asking = ask()
    told.set(key, asking)
    asking.catch(() => told.get(key) === asking && told.delete(key))
    const [oldest] = told.keys()
    if (told.size > KEPT && oldest !== undefined) told.delete(oldest)
    return asking
  }
}

async function isMock(id: string, project: Project): Promise<boolean> {
  const connector = await (await project.connectors()).get(id).catch(() => undefined)
  return connector?.type === 'mock'
}
