// What values options take, as JSON Schema: for editors, and for `viva schema config`.
import type { OptionRule } from './option-row.js'
import { OPTION_NAMES, OPTIONS } from './options.js'

export function optionsJsonSchema(): object {
  const properties = Object.fromEntries(
    OPTION_NAMES.map((name) => [name, { ...typeOf(OPTIONS[name]), description: OPTIONS[name].description }]),
  )
  return { type: 'object', properties, additionalProperties: false }
}

/** The name of an environment variable. */
export const VARIABLE = /^[A-Za-z_]\w*$/

function typeOf({ kind, choices, items, min, max }: OptionRule): Record<string, unknown> {
  const range = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
  switch (kind) {
    case 'text':
      return items === 'variable' ? { type: 'string', pattern: VARIABLE.source } : { type: 'string' }
    case 'switch':
      return { type: 'boolean' }
    case 'list':
      return items === 'variable'
        ? { type: ['array', 'string'], pattern: VARIABLE.source, items: { type: 'string', pattern: VARIABLE.source } }
        : { type: ['array', 'string'], items: { type: 'string' } }
    case 'choice':
      return { enum: choices }
    case 'integer':
    case 'number':
      return { type: kind, ...range }
    case 'percent':
      // 0.8 is 80%.
      return { type: 'number', minimum: 0, maximum: max }
    case 'runs':
      return { anyOf: [{ type: 'integer', ...range }, { const: 'auto' }] }
    case 'optional':
      return choices ? { enum: [true, false, ...choices] } : { type: ['string', 'boolean'] }
    case 'texts':
      return { type: ['string', 'array'], items: { type: 'string' } }
  }
}
