// `get_result`: the outcome of a running call, and the whole of a shortened answer.
import * as v from 'valibot'
import { UserError } from '../../errors.js'
import { flag, integerBetween, object } from '../../model/case-schema-base.js'
import { about, optional } from '../../model/schema-parts.js'
import type { ToolContext } from '../../tools/context.js'
import { defineTool, type Tool } from '../../tools/define-tool.js'
import { nonEmpty } from '../../tools/parameters.js'
import type { Job, Jobs } from '../jobs.js'
import { asTool } from './as-tool.js'

/** Text is escaped twice on its way, so a page may grow to four times its size. */
const PAGE_CHARS = 4_000
/** Answers before the call itself would be late. */
const SHARE = 0.8

export function getResult(jobs: Jobs, within_ms: number): Tool {
  return asTool(
    defineTool({
      name: 'get_result',
      title: 'Get a result',
      description:
        'Waits for a call that answered "running" and returns its result. With cursor: the JSON text of a whole answer, page by page. With cancel: ends the call.',
      input: object({
        id: about(nonEmpty(), 'answer.id of the call.'),
        cursor: optional(about(integerBetween(0, 1_000_000_000), 'Start of the page: 0, then next_cursor.')),
        cancel: optional(about(flag(), 'End the call; default: false.')),
      }),
      output: v.object({
        status: v.picklist(['running', 'done', 'cancelled']),
        tool: v.string(),
        progress: optional(v.string()),
        result: optional(v.looseObject({})),
        text: optional(v.string()),
        next_cursor: optional(v.number()),
        total: optional(v.number()),
      }),
      annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
      isLive: () => false,
      handler: async ({ id, cursor, cancel }, context) => {
        const job = jobs.find(id)
        if (!job) throw unknownResult(id)
        const { tool } = job
        if (cancel && !job.outcome) {
          job.cancel()
          await job.ended
          return { status: 'cancelled', tool } as const
        }
        const outcome = job.outcome ?? (await waitFor(job, within_ms * SHARE, context))
        if (!outcome)
          return { status: 'running', tool, ...(job.progress && { progress: job.progress.message }) } as const
        if (outcome.state === 'failed') throw outcome.error
        if (cursor === undefined) return { status: 'done', tool, result: outcome.answer } as const
        return { status: 'done', tool, ...pageOf(JSON.stringify(outcome.answer), cursor) } as const
      },
    }),
  )
}

/** Undefined: it is still running. */
function waitFor(job: Job, most_ms: number, { signal, progress }: ToolContext): Promise<Job['outcome']> {
  return new Promise((resolve) => {
    const unfollow = job.follow(progress)
    const end = (outcome: Job['outcome']): void => {
      unfollow()
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    // A caller that no longer waits has not cancelled what it waited for.
    const onAbort = (): void => end(undefined)
    const timer = setTimeout(() => end(undefined), most_ms)
    signal.addEventListener('abort', onAbort, { once: true })
    void job.ended.then(end)
  })
}

function pageOf(whole: string, cursor: number): { text: string; total: number; next_cursor?: number } {
  const end = endOfPage(whole, cursor)
  return { text: whole.slice(cursor, end), total: whole.length, ...(end < whole.length && { next_cursor: end }) }
}

/** A page never ends between the halves of a character. */
function endOfPage(whole: string, cursor: number): number {
  const end = Math.min(cursor + PAGE_CHARS, whole.length)
  return end < whole.length && /[\uD800-\uDBFF]/.test(whole.charAt(end - 1)) ? end - 1 : end
}

function unknownResult(id: string): UserError {
  return new UserError({
    code: 'UNKNOWN_RESULT',
    message: `no answer is kept under the id "${id.slice(0, 80)}"`,
    hint: 'ids are in answer.id of an answer of this server; old ones are dropped after a while: call the tool again',
  })
}
