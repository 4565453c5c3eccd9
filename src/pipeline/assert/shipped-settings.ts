// What each check that ships with Viva takes, so that a slip is found when the case is loaded.
import * as v from 'valibot'
import { isRecord } from '../../base/record.js'
import { suggest } from '../../base/suggest.js'
import { isShippedCheck, SHIPPED_CHECKS, SHIPPED_PREFIX, type ShippedCheck } from '../../model/shipped-check.js'
import { closedObject } from './closed-object.js'
import { SpecError } from './define-assertion.js'
import { problemOf } from './issue-problem.js'

export type CheckSettings = Record<string, unknown>

/** The settings with the name of the check as `type`, which is what its code gets. Throws a SpecError. */
export function shippedSettings(check: ShippedCheck, given: CheckSettings, field: string): CheckSettings {
  const parsed = v.safeParse(SETTINGS[check], given)
  const [issue] = parsed.issues ?? []
  if (issue) throw new SpecError(...wordsFor(issue, field))
  const members = given['assert'] as Array<CheckSettings & { type: string }> | undefined
  for (const [index, { weight: _weight, type, ...own }] of members?.entries() ?? []) {
    const place = `${field}.assert[${index}]`
    const name = `${toolOf(check)}/${type}`
    if (!isShippedCheck(name)) throw unknownCheck(name, `${place}.type`)
    shippedSettings(name, own, place)
  }
  return { ...given, type: check.slice(toolOf(check).length + 1) }
}

/** The files that settings name, those of the members of a set included. */
export function settingsFiles({ file, assert }: CheckSettings): string[] {
  const members = Array.isArray(assert) ? assert.filter(isRecord) : []
  return [...(typeof file === 'string' ? [file] : []), ...members.flatMap(settingsFiles)]
}

export function unknownCheck(name: string, field: string): SpecError {
  const near = suggest(name, SHIPPED_CHECKS)
  const suggestion = near === undefined ? undefined : `${SHIPPED_PREFIX}${near}`
  const known = near === undefined ? `; there are ${SHIPPED_CHECKS.join(', ')}` : ''
  return new SpecError(field, `there is no check "${SHIPPED_PREFIX}${name}"${known}`, suggestion)
}

function toolOf(check: ShippedCheck): string {
  return check.slice(0, check.indexOf('/'))
}

function wordsFor(issue: v.BaseIssue<unknown>, field: string): [field: string, message: string] {
  const problem = problemOf(issue, field)
  return [problem.field ?? field, problem.message]
}

const text = v.pipe(v.string(), v.nonEmpty())
const value = v.union([text, v.number(), v.boolean()])
const values = v.pipe(v.array(value), v.minLength(1))
const record = v.record(v.string(), v.unknown())
const share = v.pipe(v.number(), v.gtValue(0), v.maxValue(1))
const weight = v.optional(v.pipe(v.number(), v.minValue(0)))

const wordCount = v.pipe(
  v.union([v.number(), closedObject({ min: v.optional(v.number()), max: v.optional(v.number()) })]),
  v.check((bounds) => {
    if (typeof bounds === 'number') return true
    const { min, max } = bounds
    return (min ?? max) !== undefined && (min ?? 0) <= (max ?? Infinity)
  }, 'must be a number of words, or min and max'),
)

const COMMON = {
  not: v.optional(v.boolean()),
  threshold: v.optional(v.number()),
  transforms: v.optional(v.array(text)),
  json: v.optional(v.boolean()),
  config: v.optional(record),
}

const ONE_VALUE = closedObject({ ...COMMON, value })
const ONE_TEXT = closedObject({ ...COMMON, value: text })
const SEVERAL = closedObject({ ...COMMON, value: values })
const JSON_SCHEMA = closedObject({ ...COMMON, schema: v.optional(record) })
const MEMBER = v.looseObject({ type: text, weight })

const SETTINGS: Record<ShippedCheck, v.GenericSchema> = {
  // Reached whatever the answer, or never: a threshold is a share.
  'promptfoo/assert-set': closedObject({
    threshold: v.optional(share),
    assert: v.pipe(v.array(MEMBER), v.minLength(1)),
  }),
  'promptfoo/bleu': SEVERAL,
  'promptfoo/contains': ONE_VALUE,
  'promptfoo/contains-all': SEVERAL,
  'promptfoo/contains-any': SEVERAL,
  'promptfoo/contains-json': JSON_SCHEMA,
  'promptfoo/equals': closedObject({ ...COMMON, value: v.unknown() }),
  'promptfoo/finish-reason': ONE_TEXT,
  'promptfoo/gleu': SEVERAL,
  'promptfoo/icontains': ONE_VALUE,
  'promptfoo/icontains-all': SEVERAL,
  'promptfoo/icontains-any': SEVERAL,
  'promptfoo/is-json': JSON_SCHEMA,
  'promptfoo/is-xml': closedObject({ ...COMMON, value: v.optional(values) }),
  'promptfoo/javascript': ONE_TEXT,
  'promptfoo/levenshtein': ONE_TEXT,
  'promptfoo/python': v.pipe(
    closedObject({ ...COMMON, value: v.optional(text), file: v.optional(text), name: v.optional(text) }),
    v.check(({ value: code, file }) => (code === undefined) !== (file === undefined), 'takes value or file'),
  ),
  'promptfoo/regex': ONE_TEXT,
  'promptfoo/starts-with': ONE_TEXT,
  'promptfoo/word-count': closedObject({ ...COMMON, value: wordCount }),
}
