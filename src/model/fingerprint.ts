// What a case asks and what its answer is judged by, as two short hashes: a result with other hashes is of another test.
import { hash } from 'node:crypto'
import { canonicalJson } from '../base/json/canonical-json.js'
import { isRecord } from '../base/record.js'
import type { AssertionSpec } from './assertion.js'
import type { TestCase } from './case.js'

export interface Fingerprint {
  /** Input, history, options, identity, attachments by content, replaced tools; as written, before `$ENV` is filled in. */
  asked: string
  /** Limits first, then one part per assertion, sorted: so that what was only added can be told from what was changed. */
  judged: string
}

/** Waits only where an attachment has to be read; relative ones are in `dir` first. */
export type FingerprintOf = (testCase: TestCase, dir: string) => Fingerprint | Promise<Fingerprint>

export interface FingerprintInit {
  /** As whom the whole run asks, and with which replaced tools. */
  as: unknown
  /** A hash of the local file that a case attaches; undefined if it cannot be read. */
  hashFile(url: string, dir: string): Promise<string | undefined>
  /** The same for a file of tools. */
  hashTools(file: string, dir: string): string | undefined
}

export function createFingerprints({ as, hashFile, hashTools }: FingerprintInit): FingerprintOf {
  const asker = canonicalJson(as)
  const seal = (asked: string, testCase: TestCase): Fingerprint => ({
    asked: hash('sha256', `${asker}\n${asked}`).slice(0, ASKED),
    judged: judgedOf(testCase),
  })
  return (testCase, dir) => {
    const asked = askedOf(testCase)
    if (typeof asked === 'string') return seal(JSON.stringify(asked), testCase)
    const { tools } = testCase.testing ?? {}
    const end = typeof tools === 'string' ? `\n${hashTools(tools, dir) ?? ''}` : ''
    const text = canonicalJson(asked)
    if (!text.includes('"file:')) return seal(text + end, testCase)
    return withFiles(asked, (url) => hashFile(url, dir)).then((whole) => seal(canonicalJson(whole) + end, testCase))
  }
}

const ASKED = 16
const PART = 10
const MOST_PARTS = 24
const NO_LIMITS = '0'

/** Most cases ask a text and nothing else. */
function askedOf(testCase: TestCase): unknown {
  const said = testCase.messages ?? testCase.input
  const rest = pick(testCase, ASKED_WITH)
  if (rest === undefined && testCase.turns === undefined && typeof said === 'string') return said
  const turns = testCase.turns?.map(({ assertions: _judged, ...turn }) => turn)
  return { ...rest, said, turns }
}

const ASKED_WITH = [
  'options',
  'attachments',
  'metadata',
  'testing',
  'tools',
  'simulator',
  'workspace',
  'user',
  'team',
  'before',
  'interactive',
] as const
const LIMITS = ['min_score', 'timeout', 'turn_timeout', 'max_turns', 'retry', 'on_missing_input', 'after'] as const

/** Undefined if it has none of them. */
function pick(testCase: TestCase, keys: ReadonlyArray<keyof TestCase>): Record<string, unknown> | undefined {
  let picked: Record<string, unknown> | undefined
  for (const key of keys) if (testCase[key] !== undefined) (picked ??= {})[key] = testCase[key]
  return picked
}

function judgedOf(testCase: TestCase): string {
  const limits = pick(testCase, LIMITS)
  const first = limits === undefined ? NO_LIMITS : partOf('limits', limits)
  const parts = testCase.assertions.map((spec) => assertionPart('', spec))
  if (testCase.expected !== undefined) parts.push(partOf('expected', testCase.expected))
  for (const spec of testCase.final_assertions ?? []) parts.push(assertionPart('final', spec))
  for (const [index, turn] of (testCase.turns ?? []).entries())
    for (const spec of turn.assertions) parts.push(assertionPart(`turn ${index + 1}`, spec))
  for (const { id, after: others, required, assertion } of testCase.checkpoints ?? [])
    parts.push(assertionPart(`checkpoint ${canonicalJson([id, others, required])}`, assertion))
  if (parts.length > 1) parts.sort()
  // Of very many, and where each counts for a share of the score, one for all: then one that was added is a change, too.
  if (parts.length > MOST_PARTS || testCase.min_score !== undefined) return `${first}.${partOf('all', parts)}`
  return [first, ...parts].join('.')
}

function assertionPart(place: string, spec: AssertionSpec): string {
  return partOf(place, checkedBy(spec))
}

/** Labels and the texts of failures are only for people, and `negate: false` is as good as nothing. */
function checkedBy({ label: _label, message: _message, ...spec }: Record<string, unknown>): Record<string, unknown> {
  if (spec['negate'] === false) delete spec['negate']
  const members = spec['assertions']
  return Array.isArray(members)
    ? { ...spec, assertions: members.map((member: unknown) => (isRecord(member) ? checkedBy(member) : member)) }
    : spec
}

function partOf(place: string, value: unknown): string {
  return hash('sha256', `${place}\n${canonicalJson(value)}`).slice(0, PART)
}

/** Files of attachments and content parts, which have a type, by their content. */
async function withFiles(
  value: unknown,
  hashFile: (url: string) => Promise<string | undefined>,
  isPart = false,
): Promise<unknown> {
  if (typeof value === 'string') return isPart && value.startsWith('file:') ? ((await hashFile(value)) ?? value) : value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(await withFiles(item, hashFile, isPart))
    return items
  }
  if (!isRecord(value)) return value
  const isTyped = isPart || typeof value['type'] === 'string'
  const entries: Array<[string, unknown]> = []
  for (const [key, item] of Object.entries(value)) entries.push([key, await withFiles(item, hashFile, isTyped)])
  return Object.fromEntries(entries)
}

/** Whether a case is judged as before: `added` if all that was checked still is. */
export function changeOfJudged(before: string, after: string): 'same' | 'added' | 'changed' {
  if (before === after) return 'same'
  const [limits, ...parts] = before.split('.')
  const [now, ...left] = after.split('.')
  if (limits !== now) return 'changed'
  for (const part of parts) {
    const at = left.indexOf(part)
    if (at < 0) return 'changed'
    left.splice(at, 1)
  }
  return 'added'
}

/** All cases of a plan, whatever their order: 128 bits, however many there are. */
export class PlanDigest {
  count = 0
  readonly #sums = new Uint32Array(4)

  add({ id, skip }: { id: string; skip?: boolean | undefined }, { asked, judged }: Fingerprint): void {
    const own = hash('sha256', `${asked} ${judged} ${skip === true} ${id}`)
    for (let at = 0; at < 4; at++)
      this.#sums[at] = (this.#sums[at] ?? 0) + Number.parseInt(own.slice(at * 8, at * 8 + 8), 16)
    this.count += 1
  }

  addAll(other: PlanDigest): void {
    for (const [at, sum] of other.#sums.entries()) this.#sums[at] = (this.#sums[at] ?? 0) + sum
    this.count += other.count
  }

  toString(): string {
    return Array.from(this.#sums, (sum) => sum.toString(16).padStart(8, '0')).join('')
  }
}
