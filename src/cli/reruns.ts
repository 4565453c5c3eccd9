// `viva view --allow-run`: ordinary runs of some cases, started from the page, one at a time.
import { plural } from '../base/format.js'
import { preview } from '../base/text.js'
import { UserError } from '../errors.js'
import { runSettings } from '../library/run-tests.js'
import type { Processes } from '../process/processes.js'
import { readRerun } from '../run/rerun.js'
import { dateNow } from '../time/iso-now.js'
import type { Reruns } from '../viewer/actions.js'
import { onStray, onSuddenEnd, printError, useRedactor } from './ending.js'
import { note, warn } from './say.js'

interface Going {
  stop: AbortController
  /** Once there is an event file. */
  path?: string
  ended?: Promise<void>
}

/** `within`: the project, whose runs may be repeated. */
export function openReruns(within: string): Reruns {
  let going: Going | undefined
  const programs = new Set<Processes>()
  const spare = onSuddenEnd(() => {
    for (const processes of programs) processes.killAll()
  })

  async function begin(run: Going, events: string, cases: readonly string[]): Promise<string> {
    const settings = await readRerun({ events, cases, within, now: dateNow() })
    const [path = ''] = settings.options.output
    note(`Running ${plural(cases.length, 'case')} of ${preview(settings.input.value, 80)} again: ${path}`)
    await new Promise<void>((resolve, reject) => {
      run.ended = runSettings(
        settings,
        {
          warn,
          useRedactor,
          onStray,
          useProcesses: (processes) => processes.keepIn(programs),
          began: () => {
            run.path = path
            resolve()
          },
        },
        run.stop.signal,
      )
        .then(({ summary: { passed, failed, not_run } }) =>
          note(`Run again: ${passed} passed, ${failed} failed${not_run > 0 ? `, ${not_run} not run` : ''}`),
        )
        .catch((error: unknown) => {
          reject(error)
          // Nobody waits for it any more.
          if (run.path !== undefined) return printError(error)
        })
        .finally(() => {
          going = undefined
        })
    })
    return path
  }

  return {
    running: () => going?.path,
    async start(events, cases) {
      if (going) throw alreadyRunning()
      const run: Going = { stop: new AbortController() }
      going = run
      try {
        return await begin(run, events, cases)
      } catch (error) {
        going = undefined
        throw error
      }
    },
    stop: () => going?.stop.abort(),
    async close() {
      going?.stop.abort()
      await going?.ended
      spare()
    },
  }
}

function alreadyRunning(): UserError {
  return new UserError({
    code: 'RERUN_RUNNING',
    message: 'a rerun is already in progress',
    hint: 'wait for it, or stop it',
  })
}
