// How a field that takes matchers appears in schemas and types.
import * as v from 'valibot'
import { OPERATOR_NAMES, type OperatorName } from '../../../model/matcher-keys.js'

/** What a value must match: schemas tell it from other fields by this very object. */
export const matcherField = v.unknown()

type JsonSchema = Record<string, unknown>

/** Any value, but editors know the operators. */
export function matcherJsonSchema(): JsonSchema {
  return {
    description: 'A value to compare with, or matchers such as {"$gt": 5}, at any depth.',
    if: { type: 'object' },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: matcherOperands(), additionalProperties: { $ref: MATCHER } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    else: { if: { type: 'array' }, then: { items: { $ref: MATCHER } } },
  }
}

/** Each operator, and what it takes. */
export function matcherOperands(): JsonSchema {
  return Object.fromEntries(OPERATOR_NAMES.map((name) => [name, { description: MEANING[name], ...OPERANDS[name] }]))
}

export const MATCHER = '#/$defs/matcher'

const MEANING: Record<OperatorName, string> = {
  $eq: 'Equal; objects have no other keys.',
  $ne: 'Not equal.',
  $in: 'One of these.',
  $not: 'Does not match.',
  $all: 'Matches each of these.',
  $any: 'Matches one of these; true: whatever it is.',
  $gt: 'Above.',
  $gte: 'At least.',
  $lt: 'Below.',
  $lte: 'At most.',
  $near: 'A number or a date that is not far off.',
  $regex: 'A text in which the pattern is found.',
  $text: 'The same text but for what is ignored.',
  $type: 'Of this type, or one of these.',
  $size: 'The length of a text, the number of elements or keys.',
  $each: 'A list of which every element matches; not an empty one, unless $size allows it.',
  $contains: 'A list with an element that matches, or a text with this in it.',
  $exact: 'Objects have no other keys, at any depth.',
  $subset: 'Objects may have other keys, at any depth.',
  $optional: 'Of a key: it is absent, or its value matches.',
  $absent: 'Of a key: it is not there.',
}

const one: JsonSchema = { $ref: MATCHER }
const several: JsonSchema = { type: 'array', minItems: 1, items: one }
const types: JsonSchema = { enum: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] }
const bound: JsonSchema = { type: ['number', 'string'] }

const OPERANDS: Record<OperatorName, JsonSchema> = {
  $eq: one,
  $ne: one,
  $in: several,
  $not: one,
  $all: several,
  $any: { anyOf: [{ const: true }, several] },
  $gt: bound,
  $gte: bound,
  $lt: bound,
  $lte: bound,
  $near: {
    type: 'object',
    properties: { value: bound, within: bound },
    required: ['value', 'within'],
    additionalProperties: false,
  },
  $regex: { type: 'string' },
  $text: {
    type: 'object',
    properties: { value: { type: 'string' }, ignore: { type: 'array', minItems: 1, items: { type: 'string' } } },
    required: ['value', 'ignore'],
    additionalProperties: false,
  },
  $type: { anyOf: [types, { type: 'array', minItems: 1, items: types }] },
  $size: one,
  $each: one,
  $contains: one,
  $exact: { type: ['object', 'array'], ...one },
  $subset: { type: ['object', 'array'], ...one },
  $optional: one,
  $absent: { const: true },
}
