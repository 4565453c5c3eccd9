// The JSON Schema of assertions, generated from the definitions that the loader checks them with.
import { toJsonSchema } from '@valibot/to-json-schema'
import { FREE_KEY } from '../../model/free-key.js'
import type { AssertionDefinition } from './define-assertion.js'
import { MATCHER, matcherField } from './matchers/schema.js'
import { assertionDefinitions } from './registry.js'

type JsonSchema = Record<string, unknown>

/** An assertion: the name of a type, or an object whose type says which fields it takes; without one it is `equals`. */
export function assertionJsonSchema(): JsonSchema {
  const types = assertionDefinitions.map(({ type }) => type)
  const alternatives = assertionDefinitions.map((definition) => ({
    if: {
      properties: { type: { const: definition.type } },
      ...(definition.type !== 'equals' && { required: ['type'] }),
    },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: fieldsOf(definition),
  }))
  return {
    type: 'object',
    properties: {
      type: {
        enum: types,
        description: 'What is checked; omitted: equals.',
        // Editors show them beside each type.
        enumDescriptions: assertionDefinitions.map(({ summary }) => summary),
      },
    },
    allOf: alternatives,
  }
}

export function assertionTypes(): string[] {
  return assertionDefinitions.map(({ type }) => type)
}

const COMMON: Record<string, JsonSchema> = {
  message: { type: 'string', description: 'Replaces the failure text.' },
  label: { type: 'string' },
  negate: { type: 'boolean', description: 'Must not hold.' },
  weight: { type: 'number', minimum: 0 },
  metadata: {},
}

/** What each type takes, and what all of them do: for the types of cases written in TypeScript. */
export function assertionFields(): Array<{
  type: string
  summary: string
  own: JsonSchema
  common: JsonSchema
  required: string[]
}> {
  return assertionDefinitions.map((definition) => {
    const { type, summary } = definition
    const { own, required } = ownFields(definition)
    return { type, summary, own, common: COMMON, required: required ?? [] }
  })
}

function fieldsOf(definition: AssertionDefinition): JsonSchema {
  const { type, summary } = definition
  const { own, required } = ownFields(definition)
  return {
    description: summary,
    properties: { type: { const: type }, ...COMMON, ...own },
    ...(required && { required }),
    patternProperties: { [FREE_KEY.source]: {} },
    additionalProperties: false,
  }
}

function ownFields({ schema, on }: AssertionDefinition): { own: JsonSchema; required?: string[] } {
  const { properties, required } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }) => (valibotSchema === matcherField ? { $ref: MATCHER } : undefined),
  })
  const own = {
    ...(on === 'answer' && { path: { type: 'string', description: 'Checks this part of the answer.' } }),
    ...properties,
    ...(on === 'group' && { assertions: { type: 'array', minItems: 1, items: { $ref: '#/$defs/oneAssertion' } } }),
  }
  return { own, ...(required && { required }) }
}
