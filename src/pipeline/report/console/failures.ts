// What did not pass, grouped by cause: each cause once, with what was asked, what came, and expected against actual.
import { formatDuration } from '../../../base/duration.js'
import { formatCount, plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import { minPassRateOf, stabilityStatus } from '../../../model/case-status.js'
import type { ResultEvent, StabilityEvent, StartEvent, TurnResult } from '../../../model/event.js'
import { lastFailedCommand, rerunCommand, type RerunCase } from '../../../model/rerun-command.js'
import { caseKey, caseTitle, type CaseKey } from '../../../model/run-key.js'
import { isNotShown, type ListedStatus } from '../../../model/status.js'
import { answerLines } from '../answer-lines.js'
import { briefBlame } from '../blame/blame-text.js'
import type { Party } from '../blame/party.js'
import { createSeenRuns, type SeenRunsFold } from '../blame/seen-runs.js'
import { scriptTitle } from '../cases.js'
import { explainResult, explainRuns } from '../explain/explain.js'
import { labelled } from '../explain/explain-text.js'
import type { Explanation } from '../explain/explanation.js'
import { inputText } from '../input-text.js'
import { adviceAsTyped, asTyped, type Screen } from '../recording.js'
import { noCommand } from './assertion-lines.js'
import { paint } from './paint.js'

/** The first ones of a cause are shown in full; they are alike. */
const FULL_PER_CAUSE = 3
/** Nobody reads more on a console. */
const FULL_IN_ALL = 30
const LISTED = 20
const MOST_CAUSES = 100
/** Runs of one case arrive one by one: the first failed one of each waits for the others. */
const MOST_OPEN = 1_000

interface Group {
  headline: string
  status: ListedStatus
  count: number
  blocks: Block[]
  /** Of those without a block. */
  titles: string[]
}

/** One failure in full. `cause`: why, and what to try; failures of a group often share it. */
interface Block {
  what: string[]
  cause: string[]
}

export class Failures {
  readonly #start: StartEvent
  readonly #screen: Screen
  readonly #groups = new Map<string, Group>()
  readonly #samples = new Map<CaseKey, ResultEvent>()
  readonly #seen = new Map<CaseKey, SeenRunsFold>()
  readonly #cases: RerunCase[] = []
  readonly #blamed = new Map<Party, number>()
  #full = 0
  #total = 0

  constructor(start: StartEvent, screen: Screen) {
    this.#start = start
    this.#screen = screen
  }

  add(event: ResultEvent | StabilityEvent): void {
    if (event.type === 'stability') return this.#addRuns(event)
    const isBad = event.status === 'failed' || isNotShown(event)
    const isOnly = this.#start.runs_per_case === 1
    if (isBad && isOnly) return this.#keep(event, explainResult(event), event)
    const key = caseKey(event)
    if (!isOnly) this.#look(key, event)
    if (!isBad) return
    if (!this.#samples.has(key) && this.#samples.size < MOST_OPEN) this.#samples.set(key, event)
  }

  #look(key: CaseKey, event: ResultEvent): void {
    const fold = this.#seen.get(key) ?? (this.#seen.size < MOST_OPEN ? createSeenRuns() : undefined)
    if (!fold) return
    fold.add(event)
    this.#seen.set(key, fold)
  }

  /** Nothing if all is green. */
  lines(): string[] {
    // Cut short by --fail-fast: their other runs never came.
    for (const [key, sample] of this.#samples)
      this.#keep(sample, explainResult(sample, this.#seen.get(key)?.seen()), sample)
    this.#samples.clear()
    this.#seen.clear()
    const groups = [...this.#groups.values()].toSorted((a, b) => b.count - a.count)
    return groups.flatMap((group) => ['', ...this.#groupLines(group)])
  }

  /** Who failed, if it was not the agent every time. */
  blameLines(): string[] {
    const parties = [...this.#blamed].toSorted(([, a], [, b]) => b - a)
    if (this.#total < 2 || parties.every(([party]) => party === 'agent')) return []
    return [`  blame: ${parties.map(([party, count]) => `${formatCount(count)} ${party}`).join(', ')}`]
  }

  rerunLines(): string[] {
    if (this.#cases.length === 0) return []
    const command = this.#total > this.#cases.length ? this.#lastFailed() : rerunCommand(this.#start, this.#cases)
    return command === undefined ? [] : [`Rerun: ${asTyped(command, this.#screen)}`]
  }

  #addRuns(event: StabilityEvent): void {
    const key = caseKey(event)
    const sample = this.#samples.get(key)
    const seen = this.#seen.get(key)?.seen()
    this.#samples.delete(key)
    this.#seen.delete(key)
    const status = isNotShown(event) ? 'not_shown' : stabilityStatus(event, minPassRateOf(this.#start))
    if (status === 'passed' || status === 'skipped') return
    this.#keep(event, explainRuns(event, sample, status, seen), sample)
  }

  #keep(event: ResultEvent | StabilityEvent, explanation: Explanation, shown: ResultEvent | undefined): void {
    const group = this.#groupOf(explanation)
    group.count += 1
    const title = this.#titleOf(event)
    if (group.blocks.length < FULL_PER_CAUSE && this.#full < FULL_IN_ALL && !this.#screen.verbose) {
      this.#full += 1
      group.blocks.push(this.#block(title, explanation, shown))
    } else if (group.titles.length < LISTED) group.titles.push(title)
    // More runs would decide it; a rerun would not.
    if (explanation.status === 'undetermined') return
    this.#total += 1
    const party = explanation.blame?.party
    if (party !== undefined) this.#blamed.set(party, (this.#blamed.get(party) ?? 0) + 1)
    if (this.#cases.length >= LISTED) return
    const { id, variant, name } = event
    const script = event.type === 'result' ? event.script : this.#start.script
    this.#cases.push({ id, variant, script, name })
  }

  #groupOf({ headline, rule, status }: Explanation): Group {
    const key = `${status} ${rule} ${withoutNumbers(headline)}`
    const known = this.#groups.get(key) ?? this.#groups.get(OTHER)
    if (known) return known
    const isOther = this.#groups.size >= MOST_CAUSES
    const group: Group = { headline: isOther ? 'other causes' : headline, status, count: 0, blocks: [], titles: [] }
    this.#groups.set(isOther ? OTHER : key, group)
    return group
  }

  #groupLines({ headline, status, count, blocks, titles }: Group): string[] {
    const color = paint(this.#screen.color)
    const mark = status === 'failed' ? color.red('✗') : status === 'not_shown' ? color.yellow('○') : color.yellow('?')
    const many = count === 1 ? '' : color.dim(` · ${plural(count, 'case')}`)
    const left = count - blocks.length
    const more = left - titles.length
    const also =
      left === 0
        ? []
        : [
            `  ${blocks.length > 0 ? 'also ' : ''}${titles.map((title) => `[${title}]`).join(' ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`,
          ]
    const head = `${mark} ${color.bold(noCommand(preview(headline, 500)))}${many}`
    const shared = sharedCause(blocks)
    return [
      head,
      ...shared,
      ...blocks.flatMap(({ what, cause }) => (shared.length > 0 ? what : [...what, ...cause])),
      ...also,
    ]
  }

  #titleOf(event: ResultEvent | StabilityEvent): string {
    const isScript = this.#start.mode === 'script_test'
    return preview(isScript ? scriptTitle(event, this.#start) : caseTitle(event), 100)
  }

  #block(title: string, explanation: Explanation, result: ResultEvent | undefined): Block {
    return failureBlock(title, explanation, result, this.#screen)
  }

  /** Only if an event file remains that says what failed. */
  #lastFailed(): string | undefined {
    const { options, mode } = this.#start
    const outputs: unknown[] = Array.isArray(options['output']) ? options['output'] : []
    const isKept = outputs.some((path) => typeof path === 'string' && path.endsWith('.jsonl'))
    return isKept || (outputs.length === 0 && mode === 'agent') ? lastFailedCommand(this.#start) : undefined
  }
}

const OTHER = 'other'
const ANSWER_LINES = 12

/** Printed once if it is the same for all. */
function sharedCause([first, ...others]: Block[]): string[] {
  const isShared = others.length > 0 && others.every(({ cause }) => cause.join('\n') === first?.cause.join('\n'))
  return isShared ? (first?.cause ?? []) : []
}

/** One failure in full, below its headline. */
function failureBlock(title: string, explanation: Explanation, result: ResultEvent | undefined, screen: Screen): Block {
  const color = paint(screen.color)
  const { name, where, rate, first_wrong, certainty, cause, hint, frames = [] } = explanation
  const isConversation = result?.turns !== undefined && result.turns.length > 0
  const named = name === undefined || title.endsWith(name) ? '' : ` ${preview(name, 100)}`
  const what = [`  [${title}]${named}${where === undefined ? '' : color.dim(` · ${preview(where, 200)}`)}`]
  const why: string[] = []
  const add = (label: string, texts: string[], lines = what): void => {
    if (texts.length > 0)
      lines.push(...labelled(label, texts.join('\n'), ANSWER_LINES).map((line) => `  ${noCommand(line)}`))
  }
  add('runs', rate === undefined ? [] : [rate])
  if (isConversation) what.push(...turnLines(result.turns ?? [], screen))
  else {
    add('asked', explanation.asked === undefined ? [] : [explanation.asked])
    if (explanation.rule === 'contract') add('came', explanation.came?.split('\n') ?? [])
    else if (result) add('came', answerLines(result))
  }
  if (isConversation && first_wrong !== undefined) add('wrong', [first_wrong])
  add('expected', explanation.expected === undefined ? [] : [preview(explanation.expected, 500)])
  add('actual', explanation.actual === undefined ? [] : [preview(explanation.actual, 500)])
  const others = otherFailures(result)
  add('also', others)
  const sure = certainty === 'likely' ? ' (likely)' : ''
  add('cause', certainty === 'cannot tell' || cause === undefined ? [] : [`${cause}${sure}`], why)
  add('blame', briefBlame(explanation.blame), why)
  add('try', hint === undefined ? [] : [adviceAsTyped(preview(hint, 300), screen)], why)
  for (const frame of frames) why.push(`    ${color.dim(frame)}`)
  return { what, cause: why }
}

/** For one message: neither the question nor the answer is repeated. */
export function answerTrouble({ asked: _asked, came: _came, ...explanation }: Explanation, screen: Screen): string {
  const { what, cause } = failureBlock('', explanation, undefined, screen)
  const details = [...what.slice(1), ...cause]
  const mark = paint(screen.color).red('✗')
  return `${[`${mark} ${noCommand(preview(explanation.headline, 500))}`, ...details].join('\n')}\n`
}

const MOST_OTHERS = 5

/** Further checks of the case that do not hold. */
function otherFailures(result: ResultEvent | undefined): string[] {
  const all = [...(result?.assertions ?? []), ...(result?.final_assertions ?? [])]
  const bad = all.filter(({ passed, not_evaluated }) => !passed && not_evaluated !== true).slice(1)
  const shown = bad.slice(0, MOST_OTHERS).map(({ message, error, type }) => preview(error ?? message ?? type, 300))
  return bad.length > MOST_OTHERS ? [...shown, `and ${bad.length - MOST_OTHERS} more`] : shown
}

const FIRST_TURNS = 3
const LAST_TURNS = 7

/** A conversation: who said what. The beginning and the end of a long one. */
function turnLines(turns: TurnResult[], screen: Screen): string[] {
  const taken = turns.filter(({ status }) => status !== 'not_run')
  const left = taken.length - FIRST_TURNS - LAST_TURNS
  const shown = left > 1 ? [...taken.slice(0, FIRST_TURNS), ...taken.slice(-LAST_TURNS)] : taken
  const skipped = turns.length - taken.length
  return [
    ...shown.flatMap((turn, index) => [
      ...(left > 1 && index === FIRST_TURNS ? [`    … ${left} more turns`] : []),
      ...turnText(turn, screen),
    ]),
    ...(skipped > 0 ? [`    ${plural(skipped, 'more turn')} not run`] : []),
  ]
}

function turnText(turn: TurnResult, screen: Screen): string[] {
  const color = paint(screen.color)
  const mark = turn.status === 'failed' ? color.red('✗') : turn.status === 'passed' ? ' ' : color.yellow('○')
  const who = turn.input_source === 'simulator' ? 'simulated' : turn.input_source === 'human' ? 'person' : 'user'
  const head = `${mark} ${String(turn.turn).padStart(2)} `
  const said =
    turn.input === null || turn.input === undefined
      ? []
      : [`  ${head}${who.padEnd(10)}${noCommand(preview(inputText(turn.input), 300))}`]
  const answer = answerLines(turn)
  const indent = said.length === 0 ? `  ${head}` : '       '
  const [first = '', ...more] = answer.slice(0, ANSWER_LINES)
  const heard =
    answer.length === 0
      ? []
      : [
          `${indent}${'agent'.padEnd(10)}${noCommand(preview(first, 500))}`,
          ...more.map((line) => `                 │ ${preview(line, 500)}`.trimEnd()),
        ]
  const left = answer.length - ANSWER_LINES
  const time =
    turn.status === 'passed' || turn.status === 'failed' ? color.dim(` (${formatDuration(turn.duration_ms)})`) : ''
  const lines = [...said, ...heard, ...(left > 0 ? [`                 │ … ${plural(left, 'more line')}`] : [])]
  const last = lines.length - 1
  return lines.map((line, index) => (index === last ? `${line}${time}` : line))
}

/** Ids and numbers do not make another cause. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{16,}\b/gi, '#')
    .replaceAll(/\d+(?:[.,]\d+)*/g, '#')
}
