// `--watch`: reruns what an edit affects, until it is stopped. Every round is an ordinary run.
import { relative, resolve } from 'node:path'
import { STOP_SIGNALS } from '../signals.js'
import { isCi } from '../../base/is-ci.js'
import { plural } from '../../base/format.js'
import { preview } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { makeFolders } from '../../files/make-folders.js'
import { SIGNAL_CODES, type StopSignal } from '../../pipeline/fold/exit-code.js'
import type { EventSink } from '../../pipeline/record/event-log.js'
import type { RunOutcome } from '../../run.js'
import type { Settings } from '../../run/settings.js'
import { printError } from '../ending.js'
import { affectedBy, joined, type Affected } from './affected.js'
import { openAlarm } from './alarm.js'
import { isOwnOutput } from './file-tree.js'
import { listenForKeys } from './keys.js'
import { planRound, type RoundPlan } from './plan-round.js'
import { changedFiles, isMissing, takeStamps, type Stamps } from './stamps.js'
import { createVerdicts } from './verdicts.js'
import { stderr } from '../terminal.js'

export interface Round {
  settings: Settings
  /** Besides the display. */
  sink: EventSink
  /** Aborted when the round should make way. */
  signal: AbortSignal
  /** It is not the first. */
  isAgain: boolean
}

export interface WatchInit {
  flags: Record<string, unknown>
  cwd: string
  run(round: Round): Promise<RunOutcome>
}

type Request =
  | { kind: 'first' | 'all' | 'failed' | 'quit' }
  | { kind: 'interrupt'; code: number }
  | { kind: 'change'; files: string[] }

/** A file may be caught between its removal and its return. */
const SAVING_MS = 150
/** What changes in that many consecutive rounds is likely written by what is tested. */
const RESTLESS = 3

export async function watchTests(init: WatchInit): Promise<number> {
  requireWatchable(init.flags)
  const watcher = new Watcher(init)
  try {
    return await watcher.run()
  } finally {
    watcher.close()
  }
}

class Watcher {
  readonly #init: WatchInit
  #flags: Record<string, unknown>
  #plan: RoundPlan | undefined
  #stamps: Stamps = new Map()
  readonly #verdicts = createVerdicts()
  /** What should have run but could not, since something was broken. */
  #owed: Affected = new Set()
  /** What a round that was cut short left without a verdict. */
  #unfinished = new Set<string>()
  #isFirst = true
  #exitCode = 0
  /** Aborts the running round. */
  #round: AbortController | undefined
  #request: Request | undefined
  #wake: (() => void) | undefined
  #rang = false
  /** In how many rounds in a row a file has changed. */
  readonly #restless = new Map<string, number>()
  readonly #alarm = openAlarm(() => {
    this.#rang = true
    this.#wake?.()
  })
  readonly #giveBack = listenForKeys({
    onKey: (kind) => this.#ask(kind === 'interrupt' ? { kind, code: SIGNAL_CODES.SIGINT } : { kind }),
    onFilter: (pattern) => this.#filter(pattern),
    write: say,
  })
  readonly #onSignal = (signal: StopSignal): void => this.#ask({ kind: 'interrupt', code: SIGNAL_CODES[signal] })

  constructor(init: WatchInit) {
    this.#init = init
    this.#flags = init.flags
    for (const signal of STOP_SIGNALS) process.on(signal, this.#onSignal)
  }

  async run(): Promise<number> {
    let request: Request = { kind: 'first' }
    for (;;) {
      await this.#runRound(request)
      request = (await this.#meanwhile()) ?? (await this.#next())
      if (request.kind === 'quit') return this.#exitCode || (this.#isAllGreen() ? 0 : 1)
      if (request.kind === 'interrupt') return request.code
    }
  }

  close(): void {
    for (const signal of STOP_SIGNALS) process.off(signal, this.#onSignal)
    this.#alarm.close()
    this.#giveBack?.()
  }

  async #runRound(request: Request): Promise<void> {
    const before = this.#plan
    try {
      this.#plan = await planRound(this.#flags, this.#init.cwd)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.#owed = joined(this.#owed, request.kind === 'change' ? this.#changedAlready(request.files) : 'all')
      this.#follow(before)
      this.#exitCode = error.exitCode
      return printError(error)
    }
    const plan = this.#plan
    this.#follow(plan)
    const affected = joined(this.#wanted(request, before, plan), this.#owed)
    this.#owed = new Set()
    const ids = affected === 'all' ? undefined : new Set([...affected].filter((id) => plan.cases.has(id)))
    if (ids?.size === 0) return say(`${nothingToDo(request, this.#shown(request))}\n`)
    this.#announce(request, ids?.size ?? plan.cases.size, plan)
    await this.#runCases(plan, ids, affected)
  }

  #isEnding(): boolean {
    return this.#request?.kind === 'quit' || this.#request?.kind === 'interrupt'
  }

  async #runCases({ settings, cases }: RoundPlan, ids: Set<string> | undefined, affected: Affected): Promise<void> {
    const { options, selection, variants } = settings
    if (this.#isEnding()) return
    keepEventsApart(settings)
    this.#round = new AbortController()
    const { failed } = this.#verdicts
    const round = this.#verdicts.round({ runs: options.runs, variants: variants.length })
    try {
      const outcome = await this.#init.run({
        settings: {
          ...settings,
          options: { ...options, order: options.order ?? 'failed-first' },
          selection: ids ? { ...selection, only: { has: (id) => ids.has(id) } } : selection,
          past: { hasFailed: (id) => failed.has(id), duration: () => undefined },
        },
        sink: round.sink,
        signal: this.#round.signal,
        isAgain: !this.#isFirst,
      })
      this.#exitCode = outcome.exit_code
      this.#isFirst = false
      for (const id of ids ?? cases.keys())
        if (outcome.summary.not_run > 0 && !round.isDone(id)) this.#unfinished.add(id)
        else this.#unfinished.delete(id)
      // From now on the watch itself knows what has failed.
      const { last_failed: _first, ...flags } = this.#flags
      this.#flags = flags
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.#owed = affected
      this.#exitCode = error.exitCode
      await printError(error)
    } finally {
      this.#round = undefined
    }
  }

  #wanted(request: Request, before: RoundPlan | undefined, plan: RoundPlan): Affected {
    if (request.kind === 'failed') return new Set(this.#verdicts.failed)
    return request.kind === 'change' ? joined(affectedBy(request.files, before, plan), this.#unfinished) : 'all'
  }

  /** Without a plan that could say more. */
  #changedAlready(files: string[]): Affected {
    const owners = files.map((file) => this.#plan?.dependencies.owners.get(file))
    if (owners.some((owner) => owner === undefined || owner === 'all')) return 'all'
    return owners.reduce<Affected>((all, owner) => joined(all, owner ?? 'all'), new Set())
  }

  /** Whatever is known about a file stays known: an edit since then must be noticed. */
  #follow(plan: RoundPlan | undefined): void {
    const files = plan ? plan.dependencies.files() : this.#firstFiles()
    const added = [...files].filter((file) => !this.#stamps.has(file))
    const kept = [...this.#stamps].filter(([file]) => files.has(file))
    this.#stamps = new Map([...kept, ...takeStamps(added)])
    this.#alarm.follow(plan ? plan.dependencies.folders : [...files].map((file) => resolve(file, '..')))
  }

  /** If nothing could be read yet: what was given. */
  #firstFiles(): Set<string> {
    const { flags, cwd } = this.#init
    const inputs: unknown[] = Array.isArray(flags['input']) ? flags['input'] : [flags['input']]
    const names = inputs.filter((input): input is string => typeof input === 'string')
    return new Set(
      [...names, 'viva.config.json', 'viva.config.yaml', 'viva.config.ts', 'viva.config.mjs'].map((name) =>
        resolve(cwd, name.replace(/^@/, '')),
      ),
    )
  }

  #ask(request: Request): void {
    // A signal reaches the run on its own.
    if (request.kind === 'interrupt' && this.#round && this.#giveBack && this.#request?.kind !== 'interrupt') {
      this.#request = request
      return void process.kill(process.pid, 'SIGINT')
    }
    if (this.#request?.kind !== 'interrupt') this.#request = request
    if (request.kind !== 'interrupt') this.#round?.abort()
    this.#wake?.()
  }

  #filter(pattern: string): void {
    const { run: _before, ...flags } = this.#flags
    this.#flags = pattern === '' ? flags : { ...flags, run: pattern }
    this.#ask({ kind: 'all' })
  }

  /** What was edited while the round was running. What changes in every round waits for a person. */
  async #meanwhile(): Promise<Request | undefined> {
    if (this.#isEnding()) return undefined
    const files = await this.#changes()
    for (const file of this.#restless.keys()) if (!files.includes(file)) this.#restless.delete(file)
    for (const file of files) this.#restless.set(file, (this.#restless.get(file) ?? 0) + 1)
    if (files.some((file) => (this.#restless.get(file) ?? 0) < RESTLESS)) {
      return { kind: 'change', files }
    }
    if (files.length > 0) {
      this.#owed = joined(this.#owed, this.#changedAlready(files))
      say(
        `\n${this.#shown({ kind: 'change', files })} changed during the last ${RESTLESS} runs: it waits for the next edit\n`,
      )
      this.#restless.clear()
    }
    this.#prompt()
    return undefined
  }

  async #next(): Promise<Request> {
    for (;;) {
      const asked = this.#request
      this.#request = undefined
      if (asked) return asked
      const files = this.#rang ? await this.#changes() : []
      if (files.length > 0) return { kind: 'change', files }
      if (this.#request === undefined && !this.#rang) await new Promise<void>((done) => (this.#wake = done))
      this.#wake = undefined
    }
  }

  async #changes(): Promise<string[]> {
    this.#rang = false
    const look = (): Stamps => takeStamps(this.#files(), this.#stamps)
    let now = look()
    let files = changedFiles(this.#stamps, now)
    if (files.some((file) => isMissing(now, file))) {
      await new Promise((done) => setTimeout(done, SAVING_MS))
      now = look()
      files = changedFiles(this.#stamps, now)
    }
    this.#stamps = now
    return files
  }

  #files(): Set<string> {
    const files = this.#plan?.dependencies.files() ?? this.#firstFiles()
    const own = this.#ownOutputs()
    return new Set([...files].filter((file) => !own.has(file) && !isOwnOutput(file.split(/[\\/]/).at(-1) ?? '')))
  }

  #ownOutputs(): Set<string> {
    const { settings } = this.#plan ?? {}
    if (!settings) return new Set()
    const { options, cwd } = settings
    const paths = [...options.output, options.record].filter((path) => path !== undefined)
    return new Set(paths.map((path) => resolve(cwd, path)))
  }

  #announce(request: Request, count: number, plan: RoundPlan): void {
    if (request.kind === 'first') return
    const filter = plan.settings.options.run
    const all = plural(plan.cases.size, 'case')
    const what = count === plan.cases.size ? all : `${count} of ${all}`
    const why = request.kind === 'change' ? `${this.#shown(request)} changed` : request.kind
    say(`\n↻ ${why}: ${what}${filter === undefined ? '' : ` (--run ${preview(filter, 60)})`}\n\n`)
  }

  #shown(request: Request): string {
    if (request.kind !== 'change') return ''
    const [first = '', ...more] = request.files.map((file) => this.#name(file))
    return more.length === 0 ? first : `${first} and ${plural(more.length, 'more file')}`
  }

  #name(file: string): string {
    return preview(relative(this.#init.cwd, file), 200)
  }

  /** Of the cases that there are now. */
  #standing(ids: Iterable<string>): number {
    const { cases } = this.#plan ?? {}
    return cases ? [...ids].filter((id) => cases.has(id)).length : 0
  }

  /** Whatever the last round has run. */
  #isAllGreen(): boolean {
    return this.#standing(this.#verdicts.failed) + this.#standing(this.#unfinished) === 0
  }

  #prompt(): void {
    const count = this.#plan?.dependencies.owners.size ?? 0
    const failed = this.#standing(this.#verdicts.failed)
    const unfinished = this.#standing(this.#unfinished)
    // The round may have been green, and only some of the cases.
    const red = failed > 0 ? ` · ✗ ${plural(failed, 'case')} failing` : ''
    const open = unfinished > 0 ? ` · ${plural(unfinished, 'case')} not run` : ''
    const keys = this.#giveBack ? ' · a all · f failed · / filter · q quit' : ''
    say(`\nwatching ${plural(count, 'file')}${red}${open}${keys}\n`)
  }
}

function say(text: string): void {
  stderr.write(text)
}

function nothingToDo(request: Request, shown: string): string {
  if (request.kind === 'failed') return 'nothing has failed'
  return `${shown} changed: no case that runs is affected`
}

/** Many rounds create many event files, so they go out of the way. */
function keepEventsApart({ appRoot, input }: Settings): void {
  if (input.kind !== 'message') makeFolders(resolve(appRoot, '.viva'))
}

function requireWatchable(flags: Record<string, unknown>): void {
  if (isCi(process.env))
    throw refused('it waits for someone to edit a file, but CI is set', 'leave --watch out here, or set CI=false')
  const other = ['resume', 'dry_run', 'interactive', 'save_turns'].find((key) => flags[key] !== undefined)
  if (other !== undefined)
    throw refused(`it cannot be used with --${other.replaceAll('_', '-')}`, 'leave one of them out')
  const inputs: unknown[] = Array.isArray(flags['input']) ? flags['input'] : [flags['input']]
  if (inputs.some((input) => input === '-' || /^(?:agents|scripts):/.test(String(input))))
    throw refused(
      'it needs cases that can be read again: standard input and generators cannot',
      'write them to a file first: --dry-run -o cases.jsonl',
    )
}

function refused(message: string, hint: string): UserError {
  return new UserError({ code: 'BAD_FLAG', subject: { flag: '--watch' }, message, hint })
}
