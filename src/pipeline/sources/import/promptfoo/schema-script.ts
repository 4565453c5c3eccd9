// Part of the script that comes with an imported suite: does a value fit a JSON Schema (draft 7)?

export const SCHEMA_PATH = 'scripts/schema.ts'

/** What the script knows; a schema with anything else is not carried over. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set(
  [
    '$comment $id $schema default definitions $defs description examples title deprecated readOnly writeOnly',
    'contentEncoding contentMediaType $ref type nullable enum const format pattern minLength maxLength',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    'items additionalItems minItems maxItems uniqueItems contains',
    'properties patternProperties additionalProperties required propertyNames dependencies minProperties maxProperties',
    'allOf anyOf oneOf not if then else',
  ].flatMap((line) => line.split(' ')),
)

export const SCHEMA_FORMATS: ReadonlySet<string> = new Set(
  'date time date-time email ipv4 uuid regex float double password binary'.split(' '),
)

export const SCHEMA_SCRIPT = String.raw`// JSON Schema, draft 7: the keywords that the schemas of this suite use. Formats are checked.

export function fits(value: any, schema: any, root: any = schema): boolean {
  if (typeof schema === 'boolean') return schema
  return (
    (schema.$ref === undefined || fits(value, target(schema.$ref, root), root)) &&
    isOfType(value, schema) &&
    (schema.enum === undefined || schema.enum.some((one: any) => equal(one, value))) &&
    (!('const' in schema) || equal(schema.const, value)) &&
    (typeof value !== 'number' || fitsNumber(value, schema)) &&
    (typeof value !== 'string' || fitsText(value, schema)) &&
    (!Array.isArray(value) || fitsList(value, schema, root)) &&
    (!isObject(value) || fitsObject(value, schema, root)) &&
    fitsOthers(value, schema, root)
  )
}

function target(reference: string, root: any): any {
  return reference
    .slice(1)
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, step) => at[step], root)
}

function isObject(value: any): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(value: any, { type, nullable }: any): boolean {
  if (type === undefined || (nullable === true && value === null)) return true
  return (Array.isArray(type) ? type : [type]).some((one: string) => {
    switch (one) {
      case 'null':
        return value === null
      case 'array':
        return Array.isArray(value)
      case 'object':
        return isObject(value)
      case 'integer':
        return typeof value === 'number' && Number.isFinite(value) && value % 1 === 0
      case 'number':
        return typeof value === 'number' && Number.isFinite(value)
      default:
        return typeof value === one
    }
  })
}

function fitsNumber(value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: any): boolean {
  const share = value / multipleOf
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || share === Number.parseInt(String(share)))
  )
}

function fitsText(value: string, { minLength, maxLength, pattern, format }: any): boolean {
  const length = minLength === undefined && maxLength === undefined ? 0 : Array.from(value).length
  return (
    (minLength === undefined || length >= minLength) &&
    (maxLength === undefined || length <= maxLength) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
    (format === undefined || hasFormat(value, format))
  )
}

function hasFormat(value: string, format: string): boolean {
  switch (format) {
    case 'date':
      return isDate(value)
    case 'time':
      return isTime(value)
    case 'date-time': {
      const [date = '', time = '', ...more] = value.split(/[tT\s]/)
      return more.length === 0 && isDate(date) && isTime(time)
    }
    case 'email': {
      const [name = '', host = '', ...more] = value.split('@')
      const labels = host.split('.')
      return (
        more.length === 0 &&
        name.split('.').every((part) => /^[\w!#$%&'*+/=?^\x60{|}~-]+$/.test(part)) &&
        labels.length > 1 &&
        labels.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label))
      )
    }
    case 'ipv4': {
      const parts = value.split('.')
      return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
    }
    case 'uuid':
      return /^(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
    case 'regex':
      return isPattern(value)
    default:
      return true
  }
}

function isDate(value: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

/** With its zone. The second 60 exists at the end of a day in UTC alone. */
function isTime(value: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:[zZ]|([+-])(\d\d)(?::?(\d\d))?)$/.exec(value)
  if (!parts) return false
  const [hour = 0, minute = 0, second = 0] = parts.slice(1, 4).map(Number)
  const [zoneHour = 0, zoneMinute = 0] = parts.slice(5, 7).map((part) => Number(part ?? 0))
  if (zoneHour > 23 || zoneMinute > 59) return false
  if (hour <= 23 && minute <= 59 && second < 60) return true
  const sign = parts[4] === '-' ? -1 : 1
  const utc = hour * 60 + minute - sign * (zoneHour * 60 + zoneMinute)
  return second < 61 && (utc === 23 * 60 + 59 || utc === -1)
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

function isPattern(text: string): boolean {
  try {
    return !/[^\\]\\Z/.test(text) && new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

function fitsList(list: any[], schema: any, root: any): boolean {
  const { items, additionalItems, minItems, maxItems, uniqueItems, contains } = schema
  return (
    (minItems === undefined || list.length >= minItems) &&
    (maxItems === undefined || list.length <= maxItems) &&
    (uniqueItems !== true || list.every((one, at) => !list.slice(0, at).some((other) => equal(one, other)))) &&
    (contains === undefined || list.some((one) => fits(one, contains, root))) &&
    list.every((one, at) => {
      if (!Array.isArray(items)) return items === undefined || fits(one, items, root)
      const own = at < items.length ? items[at] : additionalItems
      return own === undefined || fits(one, own, root)
    })
  )
}

function fitsObject(value: any, schema: any, root: any): boolean {
  const { properties = {}, patternProperties = {}, additionalProperties, required = [], propertyNames, dependencies = {} } = schema
  const keys = Object.keys(value)
  const patterns = Object.entries(patternProperties).map(([text, own]) => [new RegExp(text, 'u'), own] as const)
  return (
    (schema.minProperties === undefined || keys.length >= schema.minProperties) &&
    (schema.maxProperties === undefined || keys.length <= schema.maxProperties) &&
    required.every((key: string) => value[key] !== undefined) &&
    Object.keys(properties).every((key) => value[key] === undefined || fits(value[key], properties[key], root)) &&
    patterns.every(([pattern, own]) => keys.every((key) => !pattern.test(key) || fits(value[key], own, root))) &&
    keys.every(
      (key) =>
        additionalProperties === undefined ||
        Object.hasOwn(properties, key) ||
        patterns.some(([pattern]) => pattern.test(key)) ||
        fits(value[key], additionalProperties, root),
    ) &&
    (propertyNames === undefined || keys.every((key) => fits(key, propertyNames, root))) &&
    Object.entries<any>(dependencies).every(
      ([key, own]) =>
        value[key] === undefined ||
        (Array.isArray(own) ? own.every((other) => value[other] !== undefined) : fits(value, own, root)),
    )
  )
}

function fitsOthers(value: any, schema: any, root: any): boolean {
  const { allOf = [], anyOf, oneOf, not } = schema
  const fitsOne = (one: any): boolean => fits(value, one, root)
  const branch = 'if' in schema ? (fitsOne(schema.if) ? schema.then : schema.else) : undefined
  return (
    allOf.every(fitsOne) &&
    (anyOf === undefined || anyOf.some(fitsOne)) &&
    (oneOf === undefined || oneOf.filter(fitsOne).length === 1) &&
    (not === undefined || !fitsOne(not)) &&
    (branch === undefined || fitsOne(branch))
  )
}

function equal(left: any, right: any): boolean {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return left === right
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
}
`
