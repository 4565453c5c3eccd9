// OpenAI's rules for tools and formats with `strict: true`, on both of its APIs.
import { isRecord } from '../../../../src/base/record.js'

/** Undefined if the schema may be strict. */
export function wrongStrictSchema(schema: unknown, path = '()'): string | undefined {
  if (!isRecord(schema)) return undefined
  if (schema['type'] === 'object' || isRecord(schema['properties'])) {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {}
    if (schema['additionalProperties'] !== false)
      return `In context=${path}, 'additionalProperties' is required to be supplied and to be false.`
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const missing = Object.keys(properties).find((key) => !required.includes(key))
    if (missing !== undefined)
      return `In context=${path}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
    for (const [key, inner] of Object.entries(properties)) {
      const wrong = wrongStrictSchema(inner, `('properties', '${key}')`)
      if (wrong !== undefined) return wrong
    }
  }
  return schema['type'] === 'array' ? wrongStrictSchema(schema['items'], `${path}.items`) : undefined
}
