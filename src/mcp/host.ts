// What all connections of one server share: the tools of each project, calls in progress, answers that are kept.
import { openPlace, type Place } from '../workspaces/place.js'
import { createRedactor } from '../redact/redactor.js'
import type { Progress } from '../tools/context.js'
import type { Tool } from '../tools/define-tool.js'
import { callTool, openTools, type OpenTools } from '../tools/open-tools.js'
import { findTool, TOOLS } from '../tools/registry.js'
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import { completeAnswer, errorAnswer, runningAnswer } from './answer.js'
import { CancelledError, Jobs, type Job } from './jobs.js'
import { Slots } from './slots.js'
import { listTools } from './tool-list.js'
import { compareRunsTool } from './tools/compare-runs.js'
import { explainFailure } from './tools/explain-failure.js'
import { getResult } from './tools/get-result.js'
import { listRunsTool } from './tools/list-runs.js'
import { runCases } from './tools/run-cases.js'
import { validateCases } from './tools/validate-cases.js'

export interface McpInit {
  /** Absent: the first folder that the client works in, or the one of the server if that is a project. */
  project?: string
  /** Where the server was started. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Whether real backends, judges and agents may be called. */
  allow_live: boolean
  /** A call that takes longer is answered with an id to ask again. */
  answer_within_ms: number
  /** The text of an error, with what to do about it. */
  describeError(error: unknown): string
  warn(text: string): void
}

export interface McpCall {
  /** Undefined: none is known. */
  project: string | undefined
  name: string
  args: Record<string, unknown>
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/** A sign of life, for clients that give up on silent calls. */
const HEARTBEAT_MS = 5_000

export class McpHost {
  readonly place: Place = openPlace()
  readonly jobs = new Jobs()
  readonly tools: readonly Tool[]
  readonly #init: McpInit
  readonly #slots = new Slots()
  readonly #projects = new Map<string | undefined, Promise<OpenTools>>()
  readonly #opened = new Set<OpenTools>()
  #listed: Promise<ListedTool[]> | undefined
  readonly #redactor: ReturnType<typeof createRedactor>

  constructor(init: McpInit) {
    this.#init = init
    this.#redactor = createRedactor({ env: init.env })
    this.tools = [
      ...TOOLS,
      validateCases,
      runCases,
      listRunsTool,
      explainFailure,
      compareRunsTool,
      getResult(this.jobs, init.answer_within_ms),
    ]
  }

  listed(): Promise<ListedTool[]> {
    this.#listed ??= listTools(this.tools)
    return this.#listed
  }

  get project(): string | undefined {
    return this.#init.project
  }

  get home(): string | undefined {
    return this.#init.env['HOME'] ?? this.#init.env['USERPROFILE']
  }

  get cwd(): string {
    return this.#init.cwd
  }

  /** Opens the project that the server was started for, so that mistakes in it show immediately. */
  async begin(): Promise<void> {
    if (this.project !== undefined) await this.#open(this.project)
  }

  describe(error: unknown): string {
    if (error instanceof CancelledError) return `error: ${error.message}\n`
    return this.hide(this.#init.describeError(error))
  }

  /** Without the secrets of any project. */
  hide(text: string): string {
    const redactors = [this.#redactor, ...[...this.#opened].map(({ context }) => context.redactor)]
    return redactors.reduce((rest, redactor) => redactor.text(rest), text)
  }

  /** Always an answer, and always in time. */
  async call({ project, name, args, signal, onProgress }: McpCall): Promise<CallToolResult> {
    const tool = findTool(name, this.tools)
    const job = this.jobs.start(name, async (stop, tell) => {
      const { context } = await this.#open(project)
      // Anything that starts programs waits its turn; read-only calls do not.
      const leave = tool.annotations.openWorld ? await this.#slots.take(stop) : undefined
      try {
        const progress = (step: Progress): void => tell({ ...step, message: context.redactor.text(step.message) })
        return await callTool(tool, args, { ...context, signal: stop, progress })
      } finally {
        leave?.()
      }
    })
    const cancel = (): void => job.cancel()
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await this.#answer(job, onProgress)
    } finally {
      // A call answered with an id continues, whatever becomes of this request.
      signal.removeEventListener('abort', cancel)
    }
  }

  async #answer(job: Job, onProgress: (progress: Progress) => void): Promise<CallToolResult> {
    const unfollow = job.follow(onProgress)
    let beats = 0
    const beat = setInterval(() => {
      const { progress = 0, ...last } = job.progress ?? { message: `${job.tool} is running` }
      beats += 1
      onProgress({ ...last, progress: progress + beats / 1000 })
    }, HEARTBEAT_MS)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), this.#init.answer_within_ms)
    try {
      const outcome = await endOrLate(job, late.signal)
      if (outcome === undefined) return runningAnswer(job, this.jobs)
      if (outcome.state === 'done') return completeAnswer(job, outcome.answer, this.jobs)
      return errorAnswer(this.describe(outcome.error))
    } finally {
      clearTimeout(timer)
      clearInterval(beat)
      unfollow()
    }
  }

  #open(project: string | undefined): Promise<OpenTools> {
    const known = this.#projects.get(project)
    if (known) return known
    const { env, allow_live, warn } = this.#init
    const opening = openTools({ project: project ?? null, env, allow_live, warn }).then((opened) => {
      this.#opened.add(opened)
      return opened
    })
    this.#projects.set(project, opening)
    // What is wrong with it may get fixed.
    opening.catch(() => this.#projects.delete(project))
    return opening
  }

  /** Ends every call and every program. */
  async close(): Promise<void> {
    await this.jobs.close()
    for (const opened of this.#opened) await opened.close()
  }

  /** At the very end of Viva's own life. */
  killAll(): void {
    for (const { context } of this.#opened) context.processes.killAll()
  }
}

/** Undefined: it takes longer. */
function endOrLate(job: Job, late: AbortSignal): Promise<Awaited<Job['ended']> | undefined> {
  return new Promise((resolve) => {
    late.addEventListener('abort', () => resolve(undefined), { once: true })
    void job.ended.then(resolve)
  })
}
