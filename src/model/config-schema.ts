// The schema of viva.config.*: the checks, the error texts and `viva schema config`.
import * as v from 'valibot'
import { anyObject, flag, numberBetween, object, text, texts } from './case-schema-base.js'

const optional = v.exactOptional
const about = <T extends v.GenericSchema>(schema: T, description: string) => v.pipe(schema, v.description(description))

const agentEntry = object({
  target: about(text(), 'What is tested: ./agent.ts#run, http(s)://…, exec:command, a2a:url, acp:command.'),
  headers: optional(about(anyObject(), 'Sent with every request.')),
  response_path: optional(about(text(), 'JSONPath of the answer in the response of a plain JSON endpoint.')),
  tool_calls_path: optional(text()),
  usage_path: optional(text()),
  stream: optional(flag()),
  model: optional(text()),
  prompt_mode: optional(about(v.picklist(['stdin', 'arg']), 'How a program gets the messages.')),
  env: optional(anyObject()),
  cwd: optional(text()),
  description: optional(text()),
})

const price = object({
  input: about(numberBetween(0, 1_000_000), 'Dollars per million input tokens.'),
  output: about(numberBetween(0, 1_000_000), 'Dollars per million output tokens.'),
})

export const configSchema = object({
  defaults: optional(about(anyObject(), 'Defaults of viva test, by flag name with underscores; a flag beats them.')),
  agents: optional(
    about(
      v.record(v.string(), v.union([text(), agentEntry], '{field} must be a target or {target, …}, found {found}')),
      'Named agents, for -n.',
    ),
  ),
  prices: optional(about(v.record(v.string(), price), 'By connector id or model name.')),
  redactions: optional(object({ patterns: optional(anyObject()), paths: optional(texts()) })),
  testing: optional(object({ tools: optional(about(anyObject(), 'Tools replaced in every case.')) })),
  awaiting_tools: optional(about(texts(), 'Tools that mean that the agent awaits input.')),
  helpers: optional(
    object({ connector: optional(about(text(), 'The connector of viva.judge, viva.user, viva.cases.')) }),
  ),
})

export async function configJsonSchema(): Promise<Record<string, unknown>> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const schema = toJsonSchema(configSchema, { target: 'draft-2020-12', errorMode: 'ignore' })
  return { ...schema, title: 'Viva configuration' }
}
