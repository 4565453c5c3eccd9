// The first pass: every value of a source is checked; only hashes of ids are kept.
import { UserError, type Problem } from '../../errors.js'
import type { CompiledAssertion } from '../../model/assertion.js'
import { asFlag, likelyTarget } from '../../model/likely-target.js'
import type { FingerprintOf } from '../../model/fingerprint.js'
import { ProblemList } from './input-errors.js'
import {
  countKeys,
  dropProtoKeys,
  isFaithful,
  MAX_DEPTH,
  mayHaveProtoKey,
  scanJson,
} from '../../base/json/json-text.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import {
  assertionFields,
  callFields,
  connectorFields,
  expectedFields,
  helperFields,
  helpersOf,
  hookFields,
  toolFields,
} from './case-fields.js'
import { checkCase, type CaseWarning, type CheckAssertion, type CheckCaseOptions } from './check-case.js'
import { positionOf, type Position, type RawValue } from './raw-value.js'
import { References, type CheckReference } from './references.js'
import { SeenIds } from './seen-ids.js'
import { repeatedKeys } from './strict-json.js'

export interface CheckOptions extends CheckCaseOptions {
  checkAssertion?: CheckAssertion
  /** The same for a case that provides tools: the agent has others than its own. */
  checkGivenAssertion?: CheckAssertion
  /** Is there a connector with this id? */
  checkConnector?: CheckReference
  /** Is there a simulator, judge or script with this name? */
  checkHelper?: CheckReference
  /** Is there a hook with this name? */
  checkHook?: CheckReference
  /** Is there such a file of tools, and can the agent be given them? */
  checkTools?: CheckReference
  /** Is a tool of this name among those that a model is offered? */
  checkExpected?: CheckReference
  /** Why the agent cannot be offered these tools of a case. */
  checkOffer?: (tools: unknown) => string | undefined
  /** Can the agent be called, and does it have a tool of this name? */
  checkCall?: CheckReference
  /** What may be wrong with replacing a tool of this name; the caller decides how severe it is. */
  checkStub?: (name: string) => { problem: string } | { doubt: string } | undefined
  /** Values that are in no file: they are identified by number, not by line. */
  numbered?: boolean
  /** Absent: nobody compares the cases with those of another run. */
  fingerprintOf?: FingerprintOf
  /** Shared by all files that are read together. */
  ids?: SeenIds
}

/** `-i agent.py`: its lines are no cases, and the first error would be about JSON. */
function programHint(file: string): string | undefined {
  const target = /\s/.test(file) ? undefined : likelyTarget(file)
  return target && `-i takes cases; to test this program: ${asFlag(target)}`
}

const EVENT_FILE_HINT =
  'this is the event file of a run, not a case file: viva report shows it, viva test --resume continues it'

/** What these name may have to be looked up. */
const LOOKED_UP = ['simulator', 'testing', 'tools', 'workspace']

export class ValueChecker {
  total = 0
  /** At least one case is a conversation of several turns. */
  multiTurn = false
  readonly problems: ProblemList
  readonly #options: CheckOptions
  readonly #ids: SeenIds
  readonly #warned = new Map<string, string>()
  readonly #tolerated = new Set<string>()
  #isEventFile = false
  readonly #connectors: References
  readonly #helpers: References
  readonly #hooks: References
  readonly #tools: References
  readonly #expected: References
  readonly #calls: References

  constructor(label: string, options: CheckOptions) {
    this.problems = new ProblemList(label)
    this.#options = options
    this.#ids = options.ids ?? new SeenIds()
    this.#ids.beginFile(label)
    this.#connectors = new References(options.checkConnector)
    this.#helpers = new References(options.checkHelper)
    this.#hooks = new References(options.checkHook)
    this.#tools = new References(options.checkTools)
    this.#expected = new References(options.checkExpected)
    this.#calls = new References(options.checkCall)
  }

  get warnings(): string[] {
    return [...this.#warned.values()]
  }

  /** About how many values to expect. */
  expect(count: number): void {
    this.#ids.reserve(count)
  }

  async checkAll(values: Iterable<RawValue>): Promise<void> {
    for (const raw of values) if (!this.#checkQuickly(raw)) await this.#check(raw)
  }

  /** Throws what was found, if anything. */
  finish(): void {
    this.problems.check('BAD_CASES', this.#isEventFile ? EVENT_FILE_HINT : programHint(this.problems.file))
    if (this.total > 0) return
    throw new UserError({
      code: 'NO_CASES',
      message: `no test cases in ${this.problems.file}: it is empty or holds only comments`,
      hint: 'a case is, for example: {"id": "T001", "input": "hello"}',
    })
  }

  /** True if there is nothing to report about the value. Does no I/O. */
  #checkQuickly(raw: RawValue): boolean {
    const { value, text } = raw
    if (raw.problem || raw.problems || !isRecord(value)) return false
    if (text !== '' && !isFaithful(value, text)) return false
    if (LOOKED_UP.some((field) => value[field] !== undefined)) return false
    if (mayHaveProtoKey(text) || !this.#isFine(value)) return false
    if (!this.#connectors.areKnown(connectorFields(value)) || !this.#hooks.areKnown(hookFields(value))) return false
    if (!this.#calls.areKnown(callFields(value)) || !this.#expected.areKnown(expectedFields(value))) return false
    if (!this.#assertionsAreFine(raw, value)) return false
    // A repeated id takes the long way, which reports where it is.
    if (this.#ids.add(value['id'] as string, raw.line)) return false
    if (value['turns'] !== undefined) this.multiTurn = true
    this.total++
    return true
  }

  /** What was warned about once is not said again. */
  #isFine(value: Record<string, unknown>): boolean {
    const { problems, warnings } = checkCase(value, this.#options)
    return problems.length === 0 && warnings.every(({ kind }) => this.#tolerated.has(kind))
  }

  #assertionsAreFine(raw: RawValue, value: Record<string, unknown>): boolean {
    const { checkAssertion } = this.#options
    if (!checkAssertion) return true
    const checks: CompiledAssertion[] = []
    for (const { spec, field } of assertionFields(value)) {
      const doubts: Problem[] = []
      const found = checkAssertion(spec, field, doubts)
      if (Array.isArray(found) || !this.#helpers.areKnown(helpersOf(spec, field))) return false
      if (doubts.length > 0 && !doubts.every((doubt) => this.#tolerated.has(doubt.message))) return false
      checks.push(found)
    }
    raw.checks = checks
    return true
  }

  async #check(raw: RawValue): Promise<void> {
    this.total++
    const { value, text } = raw
    for (const problem of raw.problems ?? []) this.#add(raw, problem)
    if (raw.problem) return this.#add(raw, raw.problem)
    if (scanJson(text).deepest > MAX_DEPTH) {
      const message = `nesting deeper than ${MAX_DEPTH} levels`
      return this.#add(raw, { line: raw.line, column: raw.column, message })
    }
    for (const problem of await textProblems(raw)) this.#add(raw, problem)
    if (dropProtoKeys(value)) {
      await this.#warn(raw, { kind: '__proto__', field: '', message: 'key "__proto__" is ignored' })
    }
    if (this.total === 1 && isRecord(value) && value['type'] === 'start' && 'run_id' in value) this.#isEventFile = true
    const { problems, warnings } = checkCase(value, this.#options)
    if (isRecord(value)) problems.push(...this.#checkAssertions(raw, value, problems, warnings))
    problems.push(...(await this.#connectors.problemsOf(connectorFields(value))))
    problems.push(...(await this.#helpers.problemsOf(helperFields(value))))
    problems.push(...(await this.#hooks.problemsOf(hookFields(value))))
    problems.push(...(await this.#tools.problemsOf(toolFields(value))))
    problems.push(...(await this.#calls.problemsOf(callFields(value))))
    problems.push(...(await this.#expected.problemsOf(expectedFields(value))))
    if (isRecord(value)) this.#checkStubs(value, problems, warnings)
    const refused = isRecord(value) && value['tools'] !== undefined && this.#options.checkOffer?.(value['tools'])
    if (refused) problems.push({ field: 'tools', message: refused })
    for (const problem of problems) this.#add(raw, { ...(await positionOfField(raw, problem.field ?? '')), ...problem })
    for (const warning of warnings) await this.#warn(raw, warning)
    if (!isRecord(value)) return
    if (value['turns'] !== undefined || value['simulator'] !== undefined) this.multiTurn = true
    if (typeof value['id'] === 'string') await this.#addId(raw, value['id'])
  }

  /** If the schema has already complained, the registry is not asked as well. */
  #checkAssertions(
    raw: RawValue,
    value: Record<string, unknown>,
    problems: Problem[],
    warnings: CaseWarning[],
  ): Problem[] {
    const { checkGivenAssertion } = this.#options
    const hasTools = toolFields(value).length > 0 || value['tools'] !== undefined
    const isGiven = checkGivenAssertion !== undefined && hasTools
    const checkAssertion = isGiven ? checkGivenAssertion : this.#options.checkAssertion
    const found: Problem[] = []
    const doubts: Problem[] = []
    const checks: CompiledAssertion[] = []
    for (const { spec, field } of checkAssertion ? assertionFields(value) : []) {
      if (problems.some((problem) => problem.field?.startsWith(field))) continue
      const checked = checkAssertion?.(spec, field, doubts)
      if (Array.isArray(checked)) found.push(...checked.map(inItsField))
      else if (checked) checks.push(checked)
    }
    raw.checks = checks
    if (this.#options.strict) return [...found, ...doubts.map(inItsField)]
    for (const { field = '', message } of doubts.map(inItsField)) warnings.push({ kind: message, field, message })
    return found
  }

  #checkStubs({ testing }: Record<string, unknown>, problems: Problem[], warnings: CaseWarning[]): void {
    const { checkStub, strict } = this.#options
    const tools = isRecord(testing) ? testing['tools'] : undefined
    if (!checkStub || !isRecord(tools)) return
    for (const name of Object.keys(tools)) {
      const field = `testing.tools.${name}`
      const found = checkStub(name)
      if (!found) continue
      if ('problem' in found) problems.push({ field, message: found.problem })
      else if (strict) problems.push({ field, message: found.doubt })
      else warnings.push({ kind: found.doubt, field, message: found.doubt })
    }
  }

  async #addId(raw: RawValue, id: string): Promise<void> {
    const earlier = this.#ids.add(id, raw.line)
    if (!earlier) return
    const unit = this.#options.numbered ? 'case' : 'line'
    const first = earlier.label === undefined ? `on ${unit} ${earlier.line}` : `in ${earlier.label}:${earlier.line}`
    const again = earlier.label === undefined ? `on ${unit}` : `in ${this.problems.file}:`
    const message = `duplicate id ${show(id, 80)}: first ${first}, again ${again}${earlier.label === undefined ? ' ' : ''}${raw.line}`
    this.#add(raw, { ...(await positionOfField(raw, 'id')), field: 'id', message })
  }

  #add(raw: RawValue, problem: Problem): void {
    if (!this.#options.numbered) return this.problems.add(problem)
    const { line: _line, column: _column, field, ...rest } = problem
    const at = `cases[${raw.line - 1}]`
    this.problems.add({ ...rest, field: field === undefined || field === '' ? at : `${at}.${field}` })
  }

  async #warn(raw: RawValue, warning: CaseWarning): Promise<void> {
    this.#tolerated.add(warning.kind)
    if (this.#warned.has(warning.kind)) return
    const { line } = await positionOfField(raw, warning.field)
    const at = this.#options.numbered ? `${this.problems.file}: case ${raw.line}` : `${this.problems.file}:${line}`
    this.#warned.set(warning.kind, [at, warning.field, warning.message].filter((part) => part !== '').join(': '))
  }
}

/** `expected` is the value of an implicit assertion. */
function inItsField(problem: Problem): Problem {
  const field = problem.field?.replace(/^expected\.value/, 'expected')
  return field === undefined ? problem : { ...problem, field }
}

/** What JSON.parse silently accepts. */
async function textProblems(raw: RawValue): Promise<Problem[]> {
  if (raw.text === '') return []
  const scan = scanJson(raw.text)
  const numbers = (scan.badNumbers ?? []).map(({ offset, message }) => ({ ...positionOf(raw, offset), message }))
  if (countKeys(raw.value) === scan.colons) return numbers
  return [...numbers, ...(await repeatedKeys(raw))]
}

async function positionOfField(raw: RawValue, field: string): Promise<Position> {
  if (raw.locate) return raw.locate(field)
  if (raw.text === '') return { line: raw.line, column: raw.column }
  const { locateField } = await import('../../base/json/json-error.js')
  return positionOf(raw, locateField(raw.text, field))
}
