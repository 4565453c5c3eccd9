// Calls for a BFCL question that are right or wrong by rule.
import { isObject } from './bfcl-rules.mjs'

/** @returns {{kind: string, calls: object[]}[]} */
export function variantsOf({ name, tool, answers, others }) {
  const full = Object.fromEntries(
    Object.entries(answers).flatMap(([key, acceptable]) => {
      const value = acceptable.find((each) => each !== '')
      return value === undefined ? [] : [[key, concrete(value)]]
    }),
  )
  const one = (kind, args, called = name) => ({ kind, calls: [{ name: called, args }] })
  const without = (key) => Object.fromEntries(Object.entries(full).filter(([each]) => each !== key))
  const found = [
    one('acceptable', full),
    { kind: 'no call', calls: [] },
    { kind: 'two calls', calls: [full, full].map((args) => ({ name, args })) },
    one('extra', { ...full, not_asked_for: 1 }),
    one(UNDERSCORES, full, name.replaceAll('.', '_')),
    one('reordered', Object.fromEntries(Object.entries(full).toReversed())),
    ...others.map((other) => one('other tool', full, other)),
    ...Object.keys(tool.parameters.properties)
      .filter((key) => !(key in answers))
      .map((key) => one('extra of the schema', { ...full, [key]: sample(tool.parameters.properties[key]) })),
  ]
  for (const [key, acceptable] of Object.entries(answers)) {
    if (key in full) found.push(one(acceptable.includes('') ? 'optional' : 'missing', without(key)))
    for (const value of acceptable.slice(1)) found.push(one('another acceptable', { ...full, [key]: concrete(value) }))
    if (!(key in full)) {
      found.push(one('empty text', { ...full, [key]: '' }))
      continue
    }
    for (const [kind, value] of changed(full[key])) found.push(one(kind, { ...full, [key]: value }))
  }
  return found
}

/** In objects each key has a list of what is acceptable. */
function concrete(value) {
  if (Array.isArray(value)) return value.map(concrete)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, acceptable]) => {
      const found = acceptable.find((each) => each !== '')
      return found === undefined ? [] : [[key, found]]
    }),
  )
}

export const WHOLE_FLOAT = '3.0 for 3'
export const UNDERSCORES = 'underscores'

function changed(value) {
  if (typeof value === 'string')
    return [
      ['wrong', `${value}x`],
      ['wrong', value.slice(1)],
      ['wrong', ''],
      ['punctuation', value.toUpperCase()],
      ['punctuation', `-${value.replaceAll(' ', '_')}.`],
      ['punctuation', value.replaceAll(' ', '')],
      ['punctuation', `${value}!`],
      ['punctuation', `${value}\t`],
      ['punctuation', value.replaceAll("'", '"')],
      ['type', [value]],
      ['type', /^\d+$/.test(value) ? Number(value) : 7],
      ['type', null],
    ]
  if (typeof value === 'number')
    return [
      ['wrong', value + 1],
      ['wrong', -value - 1],
      ['type', String(value)],
      ['type', [value]],
      ['type', value + 0.5],
      ...(Number.isInteger(value) ? [[WHOLE_FLOAT, `@float:${value}.0`]] : []),
      ['type', true],
    ]
  if (typeof value === 'boolean')
    return [
      ['wrong', !value],
      ['type', String(value)],
      ['type', value ? 1 : 0],
    ]
  if (Array.isArray(value))
    return [
      ['wrong', value.slice(1)],
      ['wrong', [...value, ...value.slice(0, 1)]],
      ['reordered', value.toReversed()],
      ['type', JSON.stringify(value)],
      ['type', value[0] ?? null],
      ['type', value.map(String)],
    ]
  return [
    ['wrong', { ...value, not_asked_for: 1 }],
    ['wrong', Object.fromEntries(Object.entries(value).slice(1))],
    ['reordered', Object.fromEntries(Object.entries(value).toReversed())],
    ['type', JSON.stringify(value)],
    ...Object.entries(value).flatMap(([key, item]) =>
      changed(item).map(([kind, other]) => [kind, { ...value, [key]: other }]),
    ),
  ]
}

function sample({ type }) {
  return { string: 'x', integer: 1, float: 1.5, boolean: true, array: [], tuple: [], dict: {}, any: 1 }[type] ?? 1
}
