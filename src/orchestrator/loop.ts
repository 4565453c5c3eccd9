// The loop: pick a hat, ask its backend, publish what it said, until it is done or a limit is reached.
import { defined } from '../base/defined.js'
import { messageOf } from '../base/message-of.js'
import { AgentError, UserError } from '../errors.js'
import type { SessionData, SessionKind } from '../model/session.js'
import type { TerminationReason } from '../model/termination.js'
import { sha256 } from '../process/sha256.js'
import type { Clock } from '../time/clock.js'
import { boundBy, DeadlineError, type Bound } from '../time/deadline.js'
import { Exhausted, hasFailed, type Backend, type BackendAnswer } from './backends/backend.js'
import { Bus, type BusEvent } from './bus.js'
import { stopReason } from './cancelled.js'
import { isCompleted } from './completion.js'
import type { LoopConfig } from './config/config.js'
import type { EventsFile } from './events-file.js'
import type { Hat } from './hats.js'
import { parseEvents, type ParsedOutput } from './parse-events.js'
import { buildPrompt, withoutEcho } from './prompt.js'
import { scratchpadTail } from './scratchpad.js'
import { Spending } from './spending.js'
import { matchesTopic } from '../base/topics.js'
import { Trouble } from './trouble.js'

export interface Limits {
  max_iterations: number
  max_runtime_secs: number
  max_cost?: number
  max_tokens?: number
}

export interface LoopParts {
  cwd: string
  task: string
  config: LoopConfig
  limits: Limits
  backendOf(hat: Hat): Promise<Backend>
  events: EventsFile
  on_exhausted: 'error' | 'stop'
  signal: AbortSignal
  clock: Clock
  record<Kind extends SessionKind>(event: Kind, data: SessionData[Kind]): void
  /** What hats say, as they say it. */
  say(text: string, stdout: boolean): void
}

export interface LoopEnd {
  reason: TerminationReason
  message?: string
  /** What a person can fix. */
  error?: UserError
  iterations: number
  elapsed_secs: number
  hats: string[]
  outputs: string[]
  stderr: string[]
  spending: Spending
}

type Ending = Pick<LoopEnd, 'reason' | 'message' | 'error'>

export class Loop {
  readonly #parts: LoopParts
  readonly #bus: Bus
  readonly #hats: Map<string, Hat>
  readonly #trouble: Trouble
  readonly #spending = new Spending()
  readonly #seen = new Set<string>()
  readonly #activations = new Map<string, number>()
  readonly #sequence: string[] = []
  readonly #outputs: string[] = []
  readonly #stderr: string[] = []
  readonly #started: number
  readonly #bound: Bound

  constructor(parts: LoopParts) {
    const { config, clock, limits, signal } = parts
    this.#parts = parts
    this.#hats = new Map(config.hats.map((hat) => [hat.id, hat]))
    this.#trouble = new Trouble(config.max_failures)
    this.#bus = new Bus(config.hats, [
      (event, recipients) => parts.record('bus.publish', { ...event, recipients }),
      ({ topic }) => this.#seen.add(topic),
    ])
    this.#started = clock.now()
    this.#bound = boundBy(signal, limits.max_runtime_secs * 1000, `${limits.max_runtime_secs}s`, clock)
  }

  async run(): Promise<LoopEnd> {
    const { config, task } = this.#parts
    try {
      this.#bus.publish({ topic: config.start_event, payload: task, source: null, target: null })
      let ending: Ending | undefined
      while (!ending) ending = await this.#turn()
      return { ...ending, ...this.#facts() }
    } finally {
      this.#bound.clear()
    }
  }

  async #turn(): Promise<Ending | undefined> {
    const stopped = this.#stopped()
    if (stopped) return stopped
    const next = this.#bus.take()
    if (!next) return { reason: 'NoPendingEvents', message: 'no hat has anything to do' }
    const hat = this.#hats.get(next.hat)
    if (!hat || this.#isExhausted(hat)) return undefined
    try {
      return await this.#iterate(hat, next.events)
    } catch (error) {
      return this.#stopped() ?? this.#failed(error)
    }
  }

  async #iterate(hat: Hat, events: BusEvent[]): Promise<Ending | undefined> {
    const { answer, prompt } = await this.#ask(hat, events)
    const failed = hasFailed(answer)
    this.#outputs.push(answer.output)
    if (answer.stderr !== '') this.#stderr.push(answer.stderr)
    this.#spending.add(answer)
    this.#trouble.call(failed)

    const parsed = parseEvents(withoutEcho(answer.output, prompt), hat.id)
    const published = this.#publish(hat, events, parsed, answer)
    // A failed answer may have said anything: only a successful one can finish the work.
    if (!failed && isCompleted(parsed, published, this.#parts.config.promise)) {
      const missing = this.#missingEvents()
      if (missing.length === 0) return { reason: 'CompletionPromise' }
      this.#reject(missing)
    } else if (failed && published.length === 0) this.#bus.putBack(hat.id, events)
    return this.#trouble.found() ?? this.#limit()
  }

  async #ask(hat: Hat, events: BusEvent[]): Promise<{ answer: BackendAnswer; prompt: string }> {
    const { record, say, config, clock, cwd, task } = this.#parts
    const backend = await this.#parts.backendOf(hat)
    const prompt = buildPrompt({
      task,
      hat,
      events,
      scratchpad: { path: config.scratchpad, tail: scratchpadTail(cwd, config.scratchpad) },
      guardrails: config.guardrails,
      promise: config.promise,
    })
    let began: number | undefined
    let isEnded = false
    const end = (answer: Partial<BackendAnswer>): void => {
      if (began === undefined || isEnded) return
      isEnded = true
      record('backend.call', {
        hat: hat.id,
        backend: backend.name,
        prompt_hash: `sha256:${sha256(prompt)}`,
        exit_code: answer.exit_code ?? null,
        duration_ms: Math.round(clock.now() - began),
        ...defined({
          tokens: answer.usage?.total_tokens,
          cost_dollars: answer.cost_dollars,
          error: answer.error,
          fault: answer.fault,
          tool_calls: answer.tool_calls,
          calls_cut: answer.calls_cut,
          tools: answer.tools,
          session_id: answer.session_id,
        }),
      })
    }
    try {
      const answer = await backend.call({
        hat: hat.id,
        prompt,
        signal: this.#bound.signal,
        onOutput: say,
        onStart: () => {
          began = clock.now()
          this.#activations.set(hat.id, (this.#activations.get(hat.id) ?? 0) + 1)
          this.#sequence.push(hat.id)
          record('_meta.iteration', {
            n: this.#sequence.length,
            hat: hat.id,
            elapsed_ms: Math.round(this.#elapsedMs()),
          })
        },
      })
      end(answer)
      // Ended by us: what it had said by then is in the session, and counts for nothing; what it cost was spent.
      if (this.#bound.signal.aborted) {
        this.#spending.add(answer)
        this.#outputs.push(answer.output)
        if (answer.stderr !== '') this.#stderr.push(answer.stderr)
        throw this.#bound.signal.reason
      }
      return { answer, prompt }
    } catch (error) {
      end({ error: messageOf(error) })
      throw error
    }
  }

  /** Returns what was published, including a default event. */
  #publish(hat: Hat, task: BusEvent[], parsed: ParsedOutput, answer: BackendAnswer): BusEvent[] {
    const { events: file, record, config } = this.#parts
    const emitted = answer.events ? { events: answer.events, malformed: [] } : file.take(hat.id)
    for (const malformed of [...parsed.malformed, ...emitted.malformed]) {
      record('bus.malformed', malformed)
      this.#trouble.malformed()
    }
    const events = [...parsed.events, ...emitted.events]
    if (
      events.length === 0 &&
      !hasFailed(answer) &&
      hat.default_publishes !== undefined &&
      !isCompleted(parsed, [], config.promise)
    )
      events.push({ topic: hat.default_publishes, payload: '', source: hat.id, target: null })
    for (const event of events) {
      // The promise is for the orchestrator alone.
      this.#bus.publish(event, event.topic !== config.promise)
      this.#trouble.published(event, task)
    }
    return events
  }

  #missingEvents(): string[] {
    const seen = [...this.#seen]
    return this.#parts.config.required_events.filter((wanted) => !seen.some((topic) => matchesTopic(wanted, topic)))
  }

  #reject(missing: string[]): void {
    const payload = `The work is not done yet: no event ${missing.map((topic) => `"${topic}"`).join(', ')} was published.`
    this.#bus.publish({ topic: 'task.resume', payload, source: null, target: null })
  }

  #isExhausted(hat: Hat): boolean {
    const { max_activations } = hat
    if (max_activations === undefined || (this.#activations.get(hat.id) ?? 0) < max_activations) return false
    const topic = `${hat.id}.exhausted`
    if (!this.#seen.has(topic))
      this.#bus.publish({
        topic,
        payload: `${hat.id} has had its ${max_activations} turns.`,
        source: null,
        target: null,
      })
    return true
  }

  /** The run was ended from outside, or its time is up. */
  #stopped(): Ending | undefined {
    const { signal, limits } = this.#parts
    if (!this.#bound.signal.aborted) return undefined
    if (!signal.aborted) return { reason: 'MaxRuntime', message: `${limits.max_runtime_secs}s are over` }
    return { reason: stopReason(signal) }
  }

  #failed(error: unknown): Ending {
    if (error instanceof Exhausted && this.#parts.on_exhausted === 'stop')
      return { reason: 'MockExhausted', message: error.message }
    // A recorded run that ended this way.
    if (error instanceof DeadlineError) return { reason: 'MaxRuntime', message: error.message }
    if (error instanceof UserError) return ending(error)
    if (error instanceof AgentError)
      return ending(
        new UserError({ code: 'BACKEND_FAILED', message: error.message, hint: error.hint, exitCode: 3, cause: error }),
      )
    throw error
  }

  #limit(): Ending | undefined {
    const { max_iterations, max_cost, max_tokens } = this.#parts.limits
    const { spent, tokens } = this.#spending
    if (this.#sequence.length >= max_iterations)
      return { reason: 'MaxIterations', message: `${max_iterations} iterations are over` }
    if (max_cost !== undefined && spent >= max_cost)
      return { reason: 'MaxCost', message: `spent ${spent} of ${max_cost} dollars` }
    if (max_tokens !== undefined && tokens >= max_tokens)
      return { reason: 'MaxCost', message: `used ${tokens} of ${max_tokens} tokens` }
    return undefined
  }

  #elapsedMs(): number {
    return this.#parts.clock.now() - this.#started
  }

  #facts(): Omit<LoopEnd, keyof Ending> {
    return {
      iterations: this.#sequence.length,
      elapsed_secs: Math.round(this.#elapsedMs()) / 1000,
      hats: this.#sequence,
      outputs: this.#outputs,
      stderr: this.#stderr,
      spending: this.#spending,
    }
  }
}

function ending(error: UserError): Ending {
  return { reason: 'Error', message: error.message, error }
}
