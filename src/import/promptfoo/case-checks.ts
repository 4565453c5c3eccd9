// The assertions of one test: each by itself, sets, weights, and the threshold over all of them.
import { messageOf } from '../../base/message-of.js'
import { isPresent, isRecord } from '../../base/record.js'
import { shippedCheckOf } from '../../model/shipped-check.js'
import type { Imported, Origin } from '../imported.js'
import { unknownKeys } from '../unknown-keys.js'
import { isJudged, mapAssertion, shippedSpec, type AssertionContext, type Spec } from './assertions.js'
import type { WrittenAssertion } from './expected.js'
import { ASSERTION_KEYS, SET_KEYS } from './keys.js'
import type { SourceTest } from './tests.js'
import { groupFor, type Weighed } from './threshold.js'

export interface Tell {
  lose(reason: string, origin?: Origin): void
  note(reason: string, origin: Origin): void
  /** How it is judged here where promptfoo passes what shows nothing. */
  stricter(reason: string, origin: Origin): void
}

interface Carried extends Weighed {
  /** Its score is 1 or 0. */
  yesNo: boolean
}

export class CaseChecks {
  needsJudge = false
  readonly #imported: Imported
  readonly #context: AssertionContext
  readonly #tell: Tell

  constructor(imported: Imported, context: AssertionContext, tell: Tell) {
    this.#imported = imported
    this.#context = context
    this.#tell = tell
  }

  /** `assert` and `min_score` of the case. */
  fieldsOf({ asserts, threshold, file, line }: SourceTest): Record<string, unknown> {
    const carried: Carried[] = []
    let isLost = false
    for (const { written, ...origin } of asserts) {
      try {
        const mapped = this.#mapOne(written, origin)
        if (mapped) carried.push(mapped)
      } catch (error) {
        isLost = true
        this.#tell.lose(messageOf(error), origin)
      }
    }
    const plain = carried.length === 0 ? {} : { assert: carried.map(({ spec }) => spec) }
    if (isLost || threshold === undefined) return plain
    try {
      return this.#reaching(threshold, carried, asserts, { file, line })
    } catch (error) {
      this.#tell.lose(messageOf(error))
      return plain
    }
  }

  /** Throws an Error that says why the threshold is lost. */
  #reaching(
    threshold: unknown,
    carried: readonly Carried[],
    asserts: SourceTest['asserts'],
    origin: Origin,
  ): Record<string, unknown> {
    if (typeof threshold !== 'number' || Number.isNaN(threshold)) throw new Error('a threshold that is not a number')
    if (threshold <= 0) throw new Error(`threshold ${threshold}: the test cannot fail`)
    if (threshold > 1) throw new Error(`threshold ${threshold}: the test cannot pass`)
    if (carried.length === 0) throw new Error('a threshold, and no assertion with any weight')
    if (!carried.every(({ yesNo }) => yesNo)) {
      const members = asserts.map(({ written }) => written)
      return { assert: [this.#setOf(members, threshold, origin)] }
    }
    // Sets and groups reckon as promptfoo does; a score of a case reckons in decimals.
    if (!isPlainShare(threshold, carried)) return { assert: [groupFor(carried, threshold)] }
    return {
      assert: carried.map(({ spec, weight }) => (weight === 1 ? spec : { ...spec, weight })),
      min_score: threshold,
    }
  }

  /** Undefined where it decides nothing. Throws an Error that says why it is lost. */
  #mapOne(written: unknown, origin: Origin): Carried | undefined {
    const { deterministic, judged } = this.#imported
    if (!isRecord(written)) {
      deterministic.found += 1
      throw new Error(`an assertion that is not an object${typeof written === 'string' ? `: ${written}` : ''}`)
    }
    const isSet = written['type'] === 'assert-set'
    const [unknown] = unknownKeys(written, isSet ? SET_KEYS : ASSERTION_KEYS)
    if (unknown) {
      deterministic.found += 1
      throw new Error(`${isSet ? 'an assert-set' : shownType(written)}: ${unknown.reason}`)
    }
    const weight = weightOf(written)
    if (isSet) return this.#mapSet(written, origin, weight)
    if (typeof written['type'] !== 'string') {
      deterministic.found += 1
      throw new Error('an assertion without a type')
    }
    const asserted = written as WrittenAssertion
    const count = isJudged(asserted.type) ? judged : deterministic
    count.found += 1
    if (weight < 0) throw new Error('a weight below 0')
    const mapped = mapAssertion(asserted, this.#context)
    if ('lost' in mapped) throw new Error(mapped.lost)
    count.carried += 1
    if ('idle' in mapped) {
      this.#tell.note(mapped.idle, origin)
      return undefined
    }
    if (mapped.note !== undefined) this.#tell.note(mapped.note, origin)
    if (mapped.stricter !== undefined) this.#tell.stricter(mapped.stricter, origin)
    if (isJudged(asserted.type)) this.needsJudge = true
    return { spec: labelled(mapped.spec, written['metric']), weight, yesNo: mapped.yesNo }
  }

  #mapSet(written: Record<string, unknown>, origin: Origin, weight: number): Carried {
    const members: unknown[] = Array.isArray(written['assert']) ? written['assert'] : []
    if (isPresent(written['config'])) throw new Error('a config of an assert-set, which goes to its members')
    if (isPresent(written['threshold']) && typeof written['threshold'] !== 'number')
      throw new Error('the threshold of an assert-set is not a number')
    const mapped: Carried[] = []
    const reasons: string[] = []
    for (const member of members) {
      try {
        const one = this.#mapOne(member, origin)
        if (one) mapped.push(one)
      } catch (error) {
        reasons.push(messageOf(error))
      }
    }
    const threshold = typeof written['threshold'] === 'number' ? written['threshold'] : undefined
    if (reasons.length > 0) throw new Error(`in an assert-set: ${reasons.join('; ')}`)
    if (weight < 0) throw new Error('a weight below 0')
    const spec =
      threshold !== undefined && mapped.some(({ yesNo }) => !yesNo)
        ? this.#setOf(members, threshold, origin)
        : groupFor(mapped, threshold)
    const problems = this.#context.checkSpec(spec)
    if (problems.length > 0) throw new Error(`assert-set: ${problems.join('; ')}`)
    // Its own score is the share that holds, which no group has.
    return { spec: labelled(spec, written['metric']), weight, yesNo: mapped.length === 1 && threshold === undefined }
  }

  /** One check over the scores of all. */
  #setOf(members: unknown[], threshold: number, origin: Origin): Spec {
    const spec = shippedSpec('promptfoo/assert-set', this.#settingsOf(members, threshold))
    const problems = this.#context.checkSpec(spec)
    if (problems.length > 0) throw new Error(`a threshold over scores: ${problems.join('; ')}`)
    this.#tell.stricter(
      'a threshold over scores: a score outside 0 to 1, or a check that fails to run, is an error here',
      origin,
    )
    return spec
  }

  #settingsOf(members: unknown[], threshold: number | undefined): Record<string, unknown> {
    if (threshold !== undefined && !(threshold > 0 && threshold <= 1))
      throw new Error(`the threshold ${threshold} decides nothing`)
    // Sets count after all others, as they do in promptfoo: sums of fractions depend on their order.
    const isSet = (member: unknown): boolean => isRecord(member) && member['type'] === 'assert-set'
    const ordered = [...members.filter((member) => !isSet(member)), ...members.filter(isSet)]
    const assert = ordered.flatMap((member): unknown[] => {
      const written = member as WrittenAssertion
      const weight = weightOf(written)
      if (weight === 0) return []
      const settings =
        written.type === 'assert-set'
          ? this.#settingsOf(Array.isArray(written['assert']) ? written['assert'] : [], written.threshold)
          : this.#memberOf(written)
      return [{ type: written.type.replace(/^not-/, ''), ...settings, ...(weight !== 1 && { weight }) }]
    })
    if (assert.length === 0) throw new Error('no assertion has any weight')
    return { ...(threshold !== undefined && { threshold }), assert }
  }

  #memberOf(written: WrittenAssertion): Record<string, unknown> {
    const mapped = mapAssertion(written, { ...this.#context, shipped: true })
    if ('lost' in mapped) throw new Error(mapped.lost)
    const { use, options } = 'spec' in mapped ? mapped.spec : {}
    if (typeof use !== 'string' || shippedCheckOf(use) === undefined)
      throw new Error(`a threshold over scores, with ${written.type} among them`)
    return isRecord(options) && isRecord(options['metadata']) ? options['metadata'] : {}
  }
}

/** Whole weights and a short threshold: reckoned in decimals or not, the same is reached. */
function isPlainShare(threshold: number, carried: readonly Carried[]): boolean {
  return (
    carried.every(({ weight }) => Number.isInteger(weight) && weight < 10_000) &&
    /^\d\.?\d{0,6}$/.test(String(threshold))
  )
}

function weightOf({ weight }: Record<string, unknown>): number {
  if (isPresent(weight) && typeof weight !== 'number') throw new Error('a weight that is not a number')
  return typeof weight === 'number' ? weight : 1
}

function shownType({ type }: Record<string, unknown>): string {
  return typeof type === 'string' ? type : 'an assertion'
}

function labelled(spec: Spec, metric: unknown): Spec {
  return typeof metric === 'string' && !metric.includes('{{') ? { ...spec, label: metric } : spec
}
