// Building blocks of the schemas: each carries the message a person reads when the value does not fit.
// `{field}`, `{index}`, `{type}` and `{found}` are filled in where the problem is reported.
import * as v from 'valibot'
import { parseDuration } from '../base/duration.js'

/** A non-zero Go duration. `base/duration.ts` says what exactly is wrong with any other string. */
export const DURATION = /^\+?(?=.*[1-9])(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/

const AGE = /^(?=.*[1-9])(?:(?:\d+\.?\d*|\.\d+)(?:ms|s|m|h|d|w))+$/

const FOUND = 'found {found}'

export const text = () => v.string(`{field} must be a string, ${FOUND}`)

export const flag = () => v.boolean(`{field} must be boolean, ${FOUND}`)

export const duration = () =>
  v.pipe(
    v.string(`{field} must be a string like "30s", ${FOUND}`),
    v.regex(DURATION, '{field}: bad duration'),
    v.check(isReadable, `{field} must be at most 292 years, ${FOUND}`),
  )

/** What does not fit the pattern has already been reported. */
function isReadable(given: string): boolean {
  if (!DURATION.test(given)) return true
  try {
    return parseDuration(given) > 0
  } catch {
    return false
  }
}

/** The same, with days and weeks. */
export const age = () =>
  v.pipe(
    v.string(`{field} must be a string like "30d", ${FOUND}`),
    v.regex(AGE, '{field} must be an age like "30d", "2w" or "12h", found {found}'),
  )

export const texts = () => v.array(text(), `{field} must be a list of strings, ${FOUND}`)

export const anyObject = () => notList(v.record(v.string(), v.unknown(), `{field} must be an object, ${FOUND}`))

export const numberBetween = (low: number, high: number) => {
  const message = `{field} must be a number ${low}..${high}, ${FOUND}`
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message))
}

/** A limit that is never missed is not a limit, so 0 is refused. */
export const share = () => {
  const message = `{field} must be a number above 0 and at most 1, ${FOUND}`
  return v.pipe(v.number(message), v.gtValue(0, `{field}: 0 is always reached, it cannot fail`), v.maxValue(1, message))
}

export const integerBetween = (low: number, high: number, message = `{field} must be an integer ${low}..${high}`) => {
  const full = `${message}, ${FOUND}`
  return v.pipe(v.number(full), v.integer(full), v.minValue(low, full), v.maxValue(high, full))
}

/**
 * What to say about a key that is not in the schema: an error, a warning that it is ignored, a warning that it is
 * passed on, or nothing. A near miss of a known key is an error in the first two and a warning in the other two; keys
 * that are checked elsewhere are not looked at.
 */
export type UnknownKeys = 'refused' | 'ignored' | 'passed_on' | 'kept' | 'elsewhere'

export const object = <T extends v.ObjectEntries>(entries: T, unknownKeys: 'refused' | 'ignored' = 'refused') =>
  withUnknownKeys(notList(v.object(entries, `{field} must be an object, ${FOUND}`)), unknownKeys)

export const open = <T extends v.ObjectEntries>(
  entries: T,
  unknownKeys: 'passed_on' | 'kept' | 'elsewhere' = 'kept',
  message = `{field} must be an object, ${FOUND}`,
) => withUnknownKeys(notList(v.looseObject(entries, message)), unknownKeys)

function withUnknownKeys<T extends v.GenericSchema>(schema: T, unknownKeys: UnknownKeys): T {
  return { ...schema, unknownKeys }
}

/** The schema library takes a list for an object with keys 0, 1, 2 …; a case file does not. */
function notList<T extends v.GenericSchema>(schema: T): T {
  const run = schema['~run']
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!Array.isArray(dataset.value)) return run.call(schema, dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    },
  }
}
