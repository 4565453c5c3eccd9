// The JSON Schema of a case, for editors: the same schema that checks case files, in another notation.

export async function caseJsonSchema(): Promise<Record<string, unknown>> {
  const [{ toJsonSchema }, { caseSchema, caseDefinitions }] = await Promise.all([
    import('@valibot/to-json-schema'),
    import('./case-schema.js'),
  ])
  const schema = toJsonSchema(caseSchema, {
    target: 'draft-2020-12',
    definitions: caseDefinitions,
    errorMode: 'ignore', // rules without a notation in JSON Schema are checked at load only
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'object' ? { ...jsonSchema, additionalProperties: false } : undefined,
  })
  return { ...schema, title: 'Viva test case', anyOf: ONE_OF_INPUTS }
}

const ONE_OF_INPUTS = ['input', 'messages', 'turns', 'simulator'].map((field) => ({ required: [field] }))
