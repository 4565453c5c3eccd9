// `file_json`: the JSON in a file of the workspace.
import * as v from 'valibot'
import { messageOf } from '../../../base/message-of.js'
import { defineAssertion, SpecError, type CompileContext, type Verdict } from '../define-assertion.js'
import { requireSchema } from '../json-schema.js'
import { matcherField } from '../matchers/schema.js'
import { compileValue } from '../value-match.js'
import { inWorkspace, requireFilePath, searched } from './files.js'
import { compilePathCheck } from './json-path.js'

const text = v.pipe(v.string(), v.nonEmpty())

export const fileJson = defineAssertion({
  type: 'file_json',
  summary:
    'A file of the workspace is JSON that equals `value` (matchers anywhere inside), has it at `json_path`, or is valid under `schema`',
  example: { type: 'file_json', path: 'config.json', json_path: '$.retries', value: { $gte: 3 } },
  on: 'workspace',
  schema: v.object({
    path: text,
    json_path: v.optional(text),
    value: v.optional(matcherField),
    exists: v.optional(v.boolean()),
    schema: v.optional(v.union([v.record(v.string(), v.unknown()), v.boolean()])),
  }),

  compile(spec, context) {
    requireFilePath(spec.path, context.field)
    const check = compileCheck(spec, context)
    return inWorkspace(async (files) => {
      const found = await files.read(spec.path)
      return searched(found, spec.path, (content) => {
        const parsed = parse(content)
        if ('problem' in parsed) {
          const message = `${spec.path} is not JSON: ${parsed.problem}`
          return { passed: false, message, absent: message }
        }
        return check(parsed.value, content)
      })
    })
  },
})

interface FileJsonSpec {
  path: string
  json_path?: string | undefined
  value?: unknown
  exists?: boolean | undefined
  schema?: Record<string, unknown> | boolean | undefined
}

function compileCheck(spec: FileJsonSpec, context: CompileContext): (json: unknown, content: string) => Verdict {
  const { path, json_path, schema, exists } = spec
  const { field } = context
  const hasValue = Object.hasOwn(spec, 'value')
  if (schema !== undefined) {
    if (hasValue || json_path !== undefined || exists !== undefined)
      throw new SpecError(`${field}.schema`, 'stands alone: put the rest into an assertion of its own')
    const validate = requireSchema(schema, `${field}.schema`)
    return (json) => {
      const errors = validate(json)
      if (errors.length === 0) return { passed: true }
      return { passed: false, message: `${path} does not match the schema: ${errors.join('; ')}` }
    }
  }
  if (json_path !== undefined) {
    const check = compilePathCheck({ ...spec, path: json_path }, 'json_path', context)
    return (json, content) => named(path, check(json, content))
  }
  if (exists !== undefined)
    throw new SpecError(`${field}.exists`, 'needs json_path: for the file itself use file_exists')
  if (!hasValue) throw new SpecError(`${field}.value`, 'is missing: what the file must hold; or json_path, or schema')
  const wanted = compileValue(spec.value, `${field}.value`, context)
  if (wanted.holdsAlways)
    throw new SpecError(`${field}.value`, `${JSON.stringify(spec.value)} holds for every file: it cannot fail`)
  return (json, content) => (wanted.matches(json, content) ? { passed: true } : wanted.explain(json, content, path))
}

/** At a path the message begins with the path. */
function named(file: string, verdict: Verdict): Verdict {
  const { message, absent } = verdict
  return {
    ...verdict,
    ...(message !== undefined && { message: `${file}: ${message}` }),
    ...(absent !== undefined && { absent: `${file}: ${absent}` }),
  }
}

function parse(content: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(content.replace(/^\uFEFF/, '')) as unknown }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
