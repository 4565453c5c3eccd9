// What Gemini's generateContent refuses, after the types of `@google/genai` and its documentation.
import * as v from 'valibot'
import { isRecord } from '../../../../src/base/record.js'
import { named, object, text, wrongShape } from './shape.js'

const functionName = named(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/)
const part = v.strictObject({
  text: v.optional(v.string()),
  thought: v.optional(v.boolean()),
  thoughtSignature: v.optional(text),
  inlineData: v.optional(v.strictObject({ mimeType: text, data: text, displayName: v.optional(v.string()) })),
  fileData: v.optional(
    v.strictObject({ fileUri: text, mimeType: v.optional(text), displayName: v.optional(v.string()) }),
  ),
  functionCall: v.optional(
    v.strictObject({ name: functionName, args: v.optional(object), id: v.optional(v.string()) }),
  ),
  functionResponse: v.optional(
    v.strictObject({
      name: functionName,
      response: object,
      id: v.optional(v.string()),
      parts: v.optional(v.array(v.unknown())),
      scheduling: v.optional(v.string()),
      willContinue: v.optional(v.boolean()),
    }),
  ),
  executableCode: v.optional(object),
  codeExecutionResult: v.optional(object),
  videoMetadata: v.optional(object),
  mediaResolution: v.optional(v.unknown()),
})
const content = v.strictObject({
  role: v.optional(v.picklist(['user', 'model', 'function'])),
  parts: v.pipe(v.array(part), v.minLength(1)),
})
const tool = v.strictObject({
  functionDeclarations: v.optional(
    v.array(
      v.strictObject({
        name: functionName,
        description: v.optional(v.string()),
        parameters: v.optional(object),
        parametersJsonSchema: v.optional(v.unknown()),
        response: v.optional(object),
        responseJsonSchema: v.optional(v.unknown()),
        behavior: v.optional(v.string()),
      }),
    ),
  ),
  googleSearch: v.optional(object),
  googleSearchRetrieval: v.optional(object),
  codeExecution: v.optional(object),
  urlContext: v.optional(object),
  fileSearch: v.optional(object),
  googleMaps: v.optional(object),
  computerUse: v.optional(object),
})
const generation = v.strictObject({
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  topP: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  topK: v.optional(v.number()),
  candidateCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8))),
  maxOutputTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  stopSequences: v.optional(v.pipe(v.array(v.string()), v.maxLength(5))),
  presencePenalty: v.optional(v.number()),
  frequencyPenalty: v.optional(v.number()),
  seed: v.optional(v.pipe(v.number(), v.integer())),
  responseMimeType: v.optional(v.picklist(['text/plain', 'application/json', 'text/x.enum'])),
  responseSchema: v.optional(object),
  responseJsonSchema: v.optional(v.unknown()),
  responseModalities: v.optional(v.array(v.string())),
  responseLogprobs: v.optional(v.boolean()),
  logprobs: v.optional(v.number()),
  mediaResolution: v.optional(v.string()),
  speechConfig: v.optional(object),
  imageConfig: v.optional(object),
  audioTimestamp: v.optional(v.boolean()),
  thinkingConfig: v.optional(
    v.strictObject({
      includeThoughts: v.optional(v.boolean()),
      thinkingBudget: v.optional(v.number()),
      thinkingLevel: v.optional(v.string()),
    }),
  ),
})
const request = v.strictObject({
  contents: v.pipe(v.array(content), v.minLength(1)),
  model: v.optional(v.string()),
  systemInstruction: v.optional(
    v.strictObject({ role: v.optional(v.string()), parts: v.pipe(v.array(part), v.minLength(1)) }),
  ),
  tools: v.optional(v.array(tool)),
  toolConfig: v.optional(
    v.strictObject({
      functionCallingConfig: v.optional(
        v.strictObject({
          mode: v.optional(v.picklist(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'])),
          allowedFunctionNames: v.optional(v.array(v.string())),
          streamFunctionCallArguments: v.optional(v.boolean()),
        }),
      ),
      retrievalConfig: v.optional(object),
      includeServerSideToolInvocations: v.optional(v.boolean()),
    }),
  ),
  generationConfig: v.optional(generation),
  safetySettings: v.optional(v.array(v.strictObject({ category: text, threshold: text, method: v.optional(text) }))),
  cachedContent: v.optional(v.string()),
  labels: v.optional(v.record(v.string(), v.string())),
  serviceTier: v.optional(v.string()),
  store: v.optional(v.boolean()),
})

type Asked = v.InferOutput<typeof request>
type Part = v.InferOutput<typeof part>

/** What a part may hold: exactly one of them. */
const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
] as const
/** Keys of JSON Schema that belong into `parametersJsonSchema`: `parameters` is a subset of OpenAPI's. */
const NOT_OPENAPI = ['$schema', '$ref', '$defs', 'definitions', 'const', 'exclusiveMinimum', 'exclusiveMaximum', 'not']
const CALL_ORDER =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
const RESPONSE_ORDER = 'Please ensure that function response turn comes immediately after a function call turn.'
const RESPONSE_COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

type Call = NonNullable<Part['functionCall']>
/** With what the model signed a call, if it did. */
type SignatureOf = (call: Call) => string | undefined

/** Undefined if the request is fine. `signatureOf`: the model signs the first call of a turn, and wants that back. */
export function refusalOf(body: unknown, signatureOf: SignatureOf = () => undefined): string | undefined {
  const spelled = camel(body)
  const wrong = wrongShape(request, spelled)
  if (wrong !== undefined) return wrong
  const asked = spelled as Asked
  return wrongParts(asked) ?? wrongTools(asked) ?? wrongTurns(asked, signatureOf)
}

function wrongParts({ contents }: Asked): string | undefined {
  for (const [index, { parts }] of contents.entries())
    for (const [at, each] of parts.entries())
      if (DATA.filter((name) => each[name] !== undefined).length !== 1)
        return `contents[${index}].parts[${at}].data: required oneof field 'data' must have one initialized field`
  return undefined
}

function wrongTools({ tools = [], toolConfig, generationConfig = {} }: Asked): string | undefined {
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  const names = declared.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) return `Duplicate function declaration found: ${twice}`
  for (const [index, { parameters, parametersJsonSchema }] of declared.entries()) {
    const path = `tools[0].function_declarations[${index}].parameters`
    if (parameters !== undefined && parametersJsonSchema !== undefined)
      return `${path}: only one of parameters and parameters_json_schema may be set`
    const wrong = parameters && wrongSchema(parameters, path)
    if (wrong !== undefined) return wrong
  }
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {}
  const unknown = allowed.find((name) => !names.includes(name))
  if (unknown !== undefined) return `allowed_function_names: ${unknown} is not declared`
  if (allowed.length > 0 && mode !== 'ANY') return 'allowed_function_names should only be set when mode is ANY'
  const { responseMimeType, responseSchema } = generationConfig
  if (responseMimeType === 'application/json' && declared.length > 0)
    return "Function calling with a response mime type: 'application/json' is unsupported"
  if (responseSchema !== undefined && responseMimeType === undefined)
    return 'response_mime_type must be set with response_schema'
  return undefined
}

function wrongSchema(schema: Record<string, unknown>, path: string): string | undefined {
  const foreign = NOT_OPENAPI.find((key) => schema[key] !== undefined)
  if (foreign !== undefined)
    return `Invalid JSON payload received. Unknown name "${foreign}" at '${path}': Cannot find field.`
  const { properties, items, type } = schema
  for (const [name, inner] of Object.entries(isRecord(properties) ? properties : {})) {
    const wrong = isRecord(inner) ? wrongSchema(inner, `${path}.properties[${name}]`) : undefined
    if (wrong !== undefined) return wrong
  }
  if (/^array$/i.test(String(type)) && !isRecord(items)) return `${path}.items: missing field.`
  return isRecord(items) ? wrongSchema(items, `${path}.items`) : undefined
}

function wrongTurns({ contents }: Asked, signatureOf: SignatureOf): string | undefined {
  const asked = contents.findLastIndex(({ role, parts }) => role !== 'model' && responsesIn(parts).length === 0)
  for (const [index, { role, parts }] of contents.entries()) {
    const before = contents[index - 1]
    const calls = callsIn(parts)
    const open = callsIn(before?.parts ?? [])
    const responses = responsesIn(parts)
    if (calls.length > 0 && (role !== 'model' || before === undefined || before.role === 'model')) return CALL_ORDER
    if (responses.length === 0 ? open.length > 0 : open.length === 0) return RESPONSE_ORDER
    if (responses.length !== open.length) return RESPONSE_COUNT
    const names = new Set(open.map(({ functionCall }) => functionCall?.name))
    if (responses.some(({ functionResponse }) => !names.has(functionResponse?.name))) return RESPONSE_COUNT
    const [{ functionCall: first, thoughtSignature: signature } = {}] = calls
    const signed = first && signatureOf(first)
    if (signed !== undefined && index > asked && signature === undefined)
      return `Function call \`${first?.name}\` in the ${index}. content block is missing a \`thought_signature\`.`
    if (signed !== undefined && signature !== undefined && signature !== signed)
      return 'Thought signature is not valid.'
  }
  return callsIn(contents.at(-1)?.parts ?? []).length > 0 ? RESPONSE_ORDER : undefined
}

function callsIn(parts: Part[]): Part[] {
  return parts.filter(({ functionCall }) => functionCall)
}

function responsesIn(parts: Part[]): Part[] {
  return parts.filter(({ functionResponse }) => functionResponse)
}

const FREE = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'labels',
])

/** The endpoint takes both spellings of its own fields; what users named keeps theirs. */
function camel(value: unknown, under = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => camel(each, under))
  if (!isRecord(value) || FREE.has(under)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [name, camel(inner, name)]
    }),
  )
}
