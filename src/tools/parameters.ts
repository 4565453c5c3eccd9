// Parameters that several tools take.
import * as v from 'valibot'
import { isRecord } from '../base/record.js'
import { PLAIN_NAME, PLAIN_NAME_RULE } from '../base/plain-name.js'
import { text } from '../model/case-schema-base.js'
import { about } from '../model/schema-parts.js'

/** Names become file names. */
export const name = () =>
  v.pipe(
    text(),
    v.check((given) => PLAIN_NAME.test(given), `{field} must match ${PLAIN_NAME_RULE}, found {found}`),
  )

export const workspaceId = () => about(name(), 'The workspace from test_setup.')

export const nonEmpty = () =>
  v.pipe(
    text(),
    v.check((given) => given.trim() !== '', '{field} must not be empty'),
  )

/** Any keys: the schema library would silently drop `__proto__` and `constructor`. Their values are checked where they are used. */
export const mapOf = <T extends v.GenericSchema>(values: T, of: string) =>
  unfiltered(v.record(v.string(), values, `{field} must be an object of ${of}, found {found}`))

function unfiltered<T extends v.GenericSchema>(schema: T): T {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!isRecord(dataset.value)) v._addIssue(schema, 'type', dataset, config)
      else Object.assign(dataset, { typed: true })
      return dataset
    },
  }
}
