// `viva worker`: serves runs until it is asked to stop.
import { resolve } from 'node:path'
import { STOP_SIGNALS } from '../signals.js'
import { UserError } from '../../errors.js'
import { isFolder } from '../../files/stat.js'
import type { CommandCall } from '../command.js'
import { endNow, onSuddenEnd, useRedactor } from '../ending.js'
import type { Processes } from '../../process/processes.js'
import { note } from '../say.js'

const DEFAULT_SLOTS = 8
/** Kubernetes gives 30 s; we promise 10. */
const PATIENCE_MS = 9_500

export async function worker({ flags }: CommandCall): Promise<number> {
  const { runWorker } = await import('../../fleet/worker/worker.js')
  const queue = requireQueue(flags['queue'])
  const root = folderOf(flags['dir'])
  const slots = Number(flags['parallel'] ?? DEFAULT_SLOTS)
  const programs = new Set<Processes>()
  const spare = onSuddenEnd(() => {
    for (const processes of programs) processes.killAll()
  })
  const ending = new AbortController()
  const end = (): void => {
    if (ending.signal.aborted) return
    ending.abort()
    setTimeout(() => endNow(0), PATIENCE_MS).unref()
  }
  for (const signal of STOP_SIGNALS) process.on(signal, end)
  try {
    await runWorker(
      {
        queue,
        slots,
        root,
        ...(typeof flags['name'] === 'string' && { name: flags['name'] }),
        io: {
          env: process.env,
          useProcesses: (processes) => processes.keepIn(programs),
          useRedactor,
        },
        note,
      },
      ending.signal,
    )
    return 0
  } finally {
    spare()
  }
}

function folderOf(dir: unknown): string {
  const path = resolve(process.cwd(), typeof dir === 'string' ? dir : '.')
  if (isFolder(path)) return path
  throw new UserError({
    code: 'NO_APP',
    subject: { flag: '--dir' },
    message: `no such folder: ${path}`,
    hint: 'give the folder that corresponds to the one viva test is started in',
  })
}

export function requireQueue(queue: unknown): string {
  if (typeof queue === 'string') return queue
  throw new UserError({
    code: 'NO_QUEUE',
    message: 'no queue is given: --queue is missing',
    hint: 'for example: --queue redis://localhost:6379',
  })
}
