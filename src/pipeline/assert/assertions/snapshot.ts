// `snapshot`: the answer, or the tool calls, are what a person has accepted before.
import * as v from 'valibot'
import { parseJson } from '../../../base/json/parse-json.js'
import { compilePattern, PatternError, type Pattern } from '../../../base/regex.js'
import { NO_SNAPSHOT, snapshotName, type SnapshotOutcome, type SnapshotRedactions } from '../../../model/snapshot.js'
import { defineAssertion, notAvailable, SpecError, type AssertServices, type Verdict } from '../define-assertion.js'
import { matchesAnything } from '../cannot-fail.js'
import { withLongNumbers } from '../exact-numbers.js'
import { notJson, onAnswer, requirePath } from '../on-answer.js'
import { isWhole, unknownSet } from '../tool-match.js'
import { unequal } from '../unequal.js'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

export const snapshot = defineAssertion({
  type: 'snapshot',
  summary:
    'The answer is the snapshot that was accepted before; JSON is compared regardless of key order and without what `ignore` names. `of: tool_calls` compares the calls instead',
  example: { type: 'snapshot', name: 'greeting', ignore: ['$.created_at'] },
  on: 'answer',
  schema: v.object({
    name: v.optional(v.pipe(v.string(), v.regex(NAME, 'must be letters, digits, "-" and "_", at most 64'))),
    of: v.optional(v.picklist(['answer', 'tool_calls'])),
    ignore: v.optional(v.array(v.string())),
    redactions: v.optional(
      v.strictObject({ patterns: v.optional(v.record(v.string(), v.union([v.string(), v.boolean()]))) }),
    ),
  }),

  compile(spec, context) {
    const { field } = context
    const { of = 'answer', ignore = [], redactions = {} } = spec
    const name = snapshotName(spec)
    if (spec.negate === true)
      throw new SpecError(`${field}.negate`, 'anything other than the snapshot would pass: it shows nothing')
    if (field.startsWith('checkpoints'))
      throw new SpecError(
        field,
        'a checkpoint is tried after every turn: put the snapshot into a turn or final_assertions',
      )
    if (of === 'tool_calls' && spec.path !== undefined)
      throw new SpecError(`${field}.path`, 'is a path in the answer, but this is a snapshot of the tool calls')
    for (const [index, path] of ignore.entries()) {
      requirePath(path, `${field}.ignore[${index}]`)
      if (path.trim() === '$') throw new SpecError(`${field}.ignore[${index}]`, HIDES_ALL)
    }
    requirePatterns(redactions.patterns ?? {}, `${field}.redactions.patterns`)
    const own: SnapshotRedactions = { patterns: redactions.patterns ?? {}, paths: ignore }
    const compare = async (value: unknown, caseId: string, services: AssertServices): Promise<Verdict> => {
      const snapshots = await services.snapshots?.()
      if (!snapshots) return notAvailable('snapshots are not kept here')
      return verdictOfSnapshot(snapshots.compare({ case_id: caseId, name, value, redactions: own }))
    }
    if (of === 'tool_calls') {
      return (evidence, services) => {
        if (!isWhole(evidence)) return unknownSet(evidence)
        const calls = evidence.tool_calls.map((call) => ({ name: call.name, args: call.args }))
        return compare(calls, evidence.case_id, services)
      }
    }
    return onAnswer(
      spec,
      context,
      (answer, { case_id, output }, services) => {
        // Never repaired: JSON that is cut off is not what was accepted.
        const json = typeof answer === 'string' ? parseJson(answer) : { value: answer }
        const isJson = typeof json?.value === 'object' && json.value !== null
        if (ignore.length > 0 && !isJson) return notJson(answer)
        if (isJson) return compare(withLongNumbers(json?.value, output), case_id, services)
        // In a document "5" is not 5; an answer that is only text has no such difference.
        const isLikeData = spec.path !== undefined && json !== undefined && typeof answer === 'string'
        return compare(isLikeData ? JSON.stringify(answer) : withLongNumbers(answer, output), case_id, services)
      },
      { several: 'list' },
    )
  },
})

/** A pattern that replaces these entirely replaces most of any answer. */
const PLAIN_WORDS = ['sorry', 'the order was sent on monday']

const HIDES_ALL = 'leaves nothing of any answer to compare: it shows nothing'

export function requirePatterns(patterns: Record<string, string | boolean>, field: string): void {
  for (const [name, pattern] of Object.entries(patterns)) {
    if (name.startsWith('$') || typeof pattern !== 'string') continue
    let whole: Pattern
    try {
      compilePattern(pattern)
      whole = compilePattern(`^(?:(?:${pattern})|\\s)*$`)
    } catch (error) {
      if (error instanceof PatternError) throw new SpecError(`${field}.${name}`, error.message)
      throw error
    }
    if (matchesAnything(pattern, (text) => whole.test(text)) || PLAIN_WORDS.some((text) => whole.test(text)))
      throw new SpecError(`${field}.${name}`, HIDES_ALL)
  }
}

export function verdictOfSnapshot(outcome: SnapshotOutcome): Verdict {
  switch (outcome.state) {
    case 'same':
      return { passed: true }
    case 'written':
      return { passed: true, message: 'the snapshot was written' }
    case 'missing':
      return notAvailable(`${NO_SNAPSHOT}; ${nextStep(outcome.pending)}`)
    case 'unchecked':
      return notAvailable(outcome.why)
    case 'asks_else':
      return {
        passed: false,
        message: `the case asks something else than when this answer was accepted; ${nextStep(outcome.pending)}`,
      }
    case 'different': {
      const { saved = '', content, pending } = outcome
      const verdict = unequal(saved, content, 'the snapshot')
      return { ...verdict, message: `${verdict.message}; ${nextStep(pending)}` }
    }
  }
}

function nextStep(pending: string | undefined): string {
  return pending === undefined
    ? 'run it where you can review it, then accept it: viva snapshot review'
    : 'review and accept it: viva snapshot review (or run again with -U)'
}
