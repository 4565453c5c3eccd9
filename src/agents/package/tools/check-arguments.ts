// Checks a model's arguments against a tool's JSON Schema, so that a process sees only what it was made for.
import type { ValidateFunction } from 'ajv'
import { AgentError } from '../../../errors.js'

const compiled = new WeakMap<object, ValidateFunction>()

/** What is wrong with the arguments, for the model to correct; undefined if nothing is. */
export async function checkArguments(
  args: unknown,
  schema: Record<string, unknown>,
  where: string,
): Promise<string | undefined> {
  if (Object.keys(schema).every((key) => key === 'type' || key === 'properties') && isEmpty(schema['properties']))
    return undefined
  let validate = compiled.get(schema)
  if (!validate) compiled.set(schema, (validate = await compile(schema, where)))
  if (validate(args)) return undefined
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the arguments'} ${message ?? 'is wrong'}`,
  )
  return `argument validation failed: ${faults.join('; ')}`
}

async function compile(schema: Record<string, unknown>, where: string): Promise<ValidateFunction> {
  const { Ajv } = await import('ajv')
  try {
    return new Ajv({
      strict: false,
      allErrors: true,
      validateFormats: false,
      addUsedSchema: false,
      logger: false,
    }).compile(schema)
  } catch (cause) {
    throw new AgentError({
      code: 'config',
      message: `${where} has a schema that is not a JSON Schema: ${(cause as Error).message}`,
      cause,
    })
  }
}

function isEmpty(properties: unknown): boolean {
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length === 0
}
