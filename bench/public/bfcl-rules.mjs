// How BFCL judges a call, written down once more without Viva: see RULES.md beside the data.

/** @returns {boolean} whether the calls are the acceptable one */
export function isAcceptable(calls, { name, tool, answers }) {
  if (calls.length !== 1) return false
  const [call] = calls
  if (call.name !== name && call.name !== name.replaceAll('.', '_')) return false
  const { properties, required = [] } = tool.parameters
  if (required.some((key) => !(key in call.args))) return false
  for (const [key, value] of Object.entries(call.args)) {
    if (!(key in answers) || !(key in properties)) return false
    if (!isAcceptableValue(value, answers[key], properties[key])) return false
  }
  return Object.keys(answers).every((key) => key in call.args || answers[key].includes(''))
}

function isAcceptableValue(value, acceptable, schema) {
  if (typeof value === 'string' && value.startsWith('@float:'))
    return schema.type === 'float' && acceptable.includes(Number(value.slice(7)))
  if (!hasType(value, schema) && !isOfTheirType(value, acceptable, schema)) return false
  return acceptable.some((each) => isSame(value, each))
}

const TYPES = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  float: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  tuple: (value) => Array.isArray(value),
  dict: (value) => isObject(value),
  any: () => true,
}

function hasType(value, { type, items }) {
  if (!TYPES[type](value)) return false
  return !items || !Array.isArray(value) || value.every((item) => TYPES[items.type]?.(item) ?? true)
}

/** A variable's name where a number is asked for. */
function isOfTheirType(value, acceptable, schema) {
  const theirs = acceptable.find((each) => each !== '')
  return theirs !== undefined && !hasType(theirs, schema) && kindOf(theirs) === kindOf(value)
}

function kindOf(value) {
  return Array.isArray(value) ? `list of ${typeof value[0]}` : typeof value
}

function isSame(value, acceptable) {
  if (typeof value === 'string' && typeof acceptable === 'string') return plain(value) === plain(acceptable)
  if (Array.isArray(value) && Array.isArray(acceptable))
    return value.length === acceptable.length && value.every((item, index) => isSameItem(item, acceptable[index]))
  if (isObject(value) && isObject(acceptable)) return isSameObject(value, acceptable)
  return JSON.stringify(value) === JSON.stringify(acceptable)
}

function isSameItem(item, acceptable) {
  if (typeof item === 'string' && typeof acceptable === 'string') return plain(item) === plain(acceptable)
  if (isObject(item) && isObject(acceptable)) return isSameObject(item, acceptable)
  return JSON.stringify(item) === JSON.stringify(acceptable)
}

function isSameObject(value, acceptable) {
  return (
    Object.entries(value).every(([key, item]) => acceptable[key]?.some((each) => isSame(item, each)) ?? false) &&
    Object.keys(acceptable).every((key) => key in value || acceptable[key].includes(''))
  )
}

function plain(text) {
  return text
    .replaceAll(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
